# Runs a formula with stand-ins for Homebrew's methods, and prints its declarations and the commands it ran as JSON.
#   ruby formula.rb FORMULA FOLDER     FOLDER: has bin with the installed program, and is where the test works
# The commands of the install are only recorded; the test is run.
require "fileutils"
require "json"
require "pathname"

module OS
  def self.linux? = true
end

def ENV.cc = "cc"

class Formula
  SINGLE = %i[desc homepage url sha256 license].freeze
  class << self
    attr_reader :declared, :dependencies, :tested

    def inherited(formula)
      super
      formula.instance_variable_set(:@declared, {})
      formula.instance_variable_set(:@dependencies, {})
    end

    SINGLE.each { |name| define_method(name) { |value| @declared[name] = value } }

    def depends_on(what)
      name, uses = what.is_a?(Hash) ? what.first : [what, []]
      @dependencies[name] = Array(uses)
    end

    def on_linux = yield
    def test(&block) = @tested = block
  end

  attr_reader :asked, :testpath, :bin

  def initialize(folder)
    @asked = []
    @testpath = Pathname(folder)
    @bin = @testpath/"bin"
    @installing = true
  end

  def version = self.class.declared[:url][/(\d+(\.\d+)+)\.tar\.gz$/, 1]
  def std_meson_args = %w[--prefix=/opt/gyre --libdir=/opt/gyre/lib --buildtype=release --wrap-mode=nofallback]

  def system(*command)
    return @asked << command if @installing

    Dir.chdir(testpath) { Kernel.system(*command, out: :err) } or raise "#{command} failed"
  end

  def shell_output(command)
    output = `#{command}`
    raise "#{command} failed" unless $?.success?

    output
  end

  def assert_match(expected, actual)
    raise "#{expected} is not in #{actual}" unless actual.include?(expected)
  end

  def run
    install
    @installing = false
    instance_eval(&self.class.tested)
  end
end

load ARGV[0]
formula = Gyre.new(ARGV[1])
formula.run
puts JSON.generate(declared: Gyre.declared, dependencies: Gyre.dependencies, asked: formula.asked)
