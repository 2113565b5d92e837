#!/bin/sh
# Installs roomctl VERSION as one file, which needs no Node: downloads it, checks its digest, and puts it into ~/.local/bin.
#   --prefix DIR   put it into DIR/bin
#   --version V    install another version
# ROOMCTL_RELEASES names another place that has the files of the releases, such as a mirror.
set -eu

version='VERSION'
releases=${ROOMCTL_RELEASES:-RELEASES}
# The digest and the name of each archive of this version.
digests='DIGESTS'

fail() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

has() {
  command -v "$1" > /dev/null 2>&1
}

download() {
  if has curl; then
    curl --fail --silent --show-error --location --retry 3 --output "$2" "$1" || fail "cannot download $1"
  elif has wget; then
    wget -q -O "$2" "$1" || fail "cannot download $1"
  else
    fail 'curl or wget is needed to download roomctl'
  fi
}

digest_of() {
  if has sha256sum; then
    sha256sum "$1" | cut -c1-64
  elif has shasum; then
    shasum -a 256 "$1" | cut -c1-64
  elif has openssl; then
    openssl dgst -sha256 -r "$1" | cut -c1-64
  else
    fail 'sha256sum, shasum or openssl is needed to check the download'
  fi
}

target() {
  case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    *) fail "there is no single file for $(uname -s); install it with npm, or with Scoop on Windows" ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) processor=x64 ;;
    aarch64 | arm64) processor=arm64 ;;
    *) fail "there is no single file for the processor $(uname -m); install roomctl with npm" ;;
  esac
  if [ "$system" = linux ] && ldd --version 2>&1 | grep -qi musl; then
    fail 'the single file needs glibc, and this system has musl (as Alpine): install roomctl with npm'
  fi
  printf '%s-%s\n' "$system" "$processor"
}

# Runs the program once: an old or small system lacks what it needs.
try_out() {
  said=$("$1" --version 2>&1) && return
  case $said in
    *libatomic*) fail 'libatomic.so.1 is missing: apt-get install libatomic1, or dnf install libatomic; then run this again' ;;
    *libstdc++*) fail 'libstdc++.so.6 is missing: apt-get install libstdc++6, or dnf install libstdc++; then run this again' ;;
    *GLIBC*) fail 'this system is too old for the single file, which needs glibc 2.28: install roomctl with npm' ;;
    *) fail "roomctl does not run here: $said" ;;
  esac
}

main() {
  prefix="${HOME:?HOME is not set}/.local"
  wanted=$version
  while [ $# -gt 0 ]; do
    case $1 in
      --prefix | --version) [ $# -ge 2 ] || fail "$1 needs a value" ;;
      *) fail "unknown argument $1; there are --prefix DIR and --version V" ;;
    esac
    case $1 in
      --prefix) prefix=$2 ;;
      --version) wanted=${2#v} ;;
    esac
    shift 2
  done
  temp=$(mktemp -d)
  trap 'rm -rf "$temp" "$prefix/bin/.roomctl.$$"' EXIT
  trap 'exit 130' INT TERM HUP
  if [ "$wanted" != "$version" ]; then
    download "$releases/v$wanted/install.sh" "$temp/install.sh"
    sh "$temp/install.sh" --prefix "$prefix"
    return
  fi
  target=$(target)
  name=roomctl-$version-$target
  expected=$(printf '%s\n' "$digests" | sed -n "s/^\([0-9a-f]*\)  $name\.tar\.gz\$/\1/p")
  [ -n "$expected" ] || fail "roomctl $version has no single file for $target"
  download "$releases/v$version/$name.tar.gz" "$temp/$name.tar.gz"
  digest=$(digest_of "$temp/$name.tar.gz")
  [ "$digest" = "$expected" ] ||
    fail "the download has the digest $digest instead of $expected: nothing was installed"
  tar -xzf "$temp/$name.tar.gz" -C "$temp"
  try_out "$temp/$name/roomctl"
  mkdir -p "$prefix/bin"
  cp "$temp/$name/roomctl" "$prefix/bin/.roomctl.$$"
  mv -f "$prefix/bin/.roomctl.$$" "$prefix/bin/roomctl"
  printf 'installed roomctl %s (%s) as %s\n' "$version" "$target" "$prefix/bin/roomctl"
  case ":${PATH-}:" in
    *":$prefix/bin:"*) ;;
    *) printf 'to start it by its name: export PATH="%s/bin:%sPATH"\n' "$prefix" '$' ;;
  esac
}

main "$@"
