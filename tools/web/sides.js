// Titles and figures above the two halves of a picture that shows two methods side by side.

export class Sides {
    constructor(stage) {
        this.stage = stage;
        this.element = document.createElement('div');
        this.element.className = 'sides';
        this.texts = ['--accent', '--other'].map((colour) => {
            const side = document.createElement('div'), title = document.createElement('h2'), text = document.createElement('p');
            title.style.color = `var(${colour})`;
            side.append(title, text);
            this.element.append(side);
            return { title, text };
        });
        stage.place.after(this.element);
        this.resize();
    }

    resize() {
        const { x, y, width } = this.stage.free();
        Object.assign(this.element.style, { left: `${x}px`, top: `${y}px`, width: `${width}px` });
    }

    show(side, title, text) {
        this.texts[side].title.textContent = title;
        this.texts[side].text.textContent = text;
    }

    remove() {
        this.element.remove();
    }
}
