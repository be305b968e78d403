# facts.rb SERVER: which gems an app server consists of, and what of them is native.
# One without a native part does in Ruby what it could do in C.
server = ARGV.fetch(0)
begin
  gem server
rescue Gem::LoadError
  # Mongrel is no installed gem here, and its packages tell its version.
end
require server
require "puma/server" if server == "puma" # which puma itself loads only when it serves

gems = Gem.loaded_specs.values.select { |gem| gem.name == server || !gem.default_gem? }
native = $LOADED_FEATURES.grep(/\.so\z/).grep(/\A\//).grep_v(/\A#{RbConfig::CONFIG["rubyarchdir"]}/)
puts gems.map { |gem| "#{gem.name} #{gem.version}" }, native
