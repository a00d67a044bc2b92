class Gyre < Formula
  desc "SIMD-batched physics kernels with the same bits on every CPU"
  homepage "@HOMEPAGE@"
  url "@ARCHIVE_URL@"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "meson" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => [:build, :test]
  depends_on "simde" => :build

  on_linux do
    depends_on "jansson"
  end

  def install
    # The program needs Linux system calls.
    tools = OS.linux? ? "enabled" : "disabled"
    system "meson", "setup", "build", "-Dtools=#{tools}", "-Dtests=disabled", "-Dbench=disabled", *std_meson_args
    system "meson", "compile", "-C", "build", "--verbose"
    system "meson", "install", "-C", "build"
  end

  test do
    (testpath/"test.c").write <<~C
      #include <gyre/gyre.h>

      int main(void)
      {
          float position = 0, velocity = 0, target = 100;
          gyre_springs springs = {.count = 1, .position = &position, .velocity = &velocity, .target = &target};
          gyre_spring spring;
          gyre_spring_matrix matrix;
          return gyre_spring_from_response(0.5f, 1, &spring) < 0 || gyre_spring_matrix_at(spring, 10, &matrix) < 0 ||
                 gyre_springs_step(&springs, 0, 1, &matrix) < 0 || position != 100;
      }
    C
    flags = shell_output("pkgconf --cflags --libs gyre").chomp.split
    system ENV.cc, "test.c", "-o", "test", *flags
    system "./test"
    assert_match version.to_s, shell_output("#{bin}/gyre --version") if OS.linux?
  end
end
