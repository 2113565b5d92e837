#!/bin/sh
# Installs roomctl VERSION as one file, which needs no Node; `--help` says more.
# ROOMCTL_RELEASES names another place that has the files of the releases, such as a mirror.
set -eu

version='VERSION'
releases=${ROOMCTL_RELEASES:-RELEASES}
# The digest and the name of each archive of this version.
digests='DIGESTS'

usage() {
  cat << 'END'
Installs roomctl VERSION as one file, which needs no Node: downloads it, checks its digest, runs it once, and puts it into ~/.local/bin.

  --prefix DIR   put it into DIR/bin
  --version V    install another version
  --help         show this

On Linux it needs glibc 2.28, libstdc++.so.6 and libatomic.so.1 (apt-get install libatomic1, or dnf install libatomic).
To remove it, delete the file; HOMEPAGE/blob/vVERSION/docs/updating.md says what it leaves behind.
END
}

fail() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

has() {
  command -v "$1" > /dev/null 2>&1
}

# Gives up after three tries, and on a connection that stands still for half a minute.
download() {
  printf 'downloading %s\n' "$1" >&2
  if has curl; then
    curl --fail --silent --show-error --location --retry 2 --connect-timeout 20 --speed-limit 1 --speed-time 30 \
      --output "$2" "$1" || fail "cannot download $1"
  else
    wget -q -t 3 -T 30 -O "$2" "$1" || fail "cannot download $1"
  fi
}

digest_of() {
  if has sha256sum; then
    sha256sum "$1" | cut -c1-64
  elif has shasum; then
    shasum -a 256 "$1" | cut -c1-64
  else
    openssl dgst -sha256 -r "$1" | cut -c1-64
  fi
}

check_programs() {
  has curl || has wget || fail 'curl or wget is needed to download roomctl'
  has sha256sum || has shasum || has openssl || fail 'sha256sum, shasum or openssl is needed to check the download'
  has tar || fail 'tar is needed to unpack roomctl'
  has gzip || fail 'gzip is needed to unpack roomctl'
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

# Removes what is half done, and the folders that were made for it.
clean_up() {
  rm -rf "$temp" "$work"
  [ -n "$had_bin" ] || rmdir "$prefix/bin" 2> /dev/null || true
  [ -n "$had_prefix" ] || rmdir "$prefix" 2> /dev/null || true
}

main() {
  prefix=${HOME:+$HOME/.local}
  wanted=$version
  while [ $# -gt 0 ]; do
    case $1 in
      --help | -h)
        usage
        return
        ;;
      --prefix | --version) [ $# -ge 2 ] || fail "$1 needs a value" ;;
      *) fail "unknown argument $1; there are --prefix DIR, --version V and --help" ;;
    esac
    case $1 in
      --prefix) prefix=$2 ;;
      --version) wanted=${2#v} ;;
    esac
    shift 2
  done
  [ -n "$prefix" ] || fail 'HOME is not set: name a folder with --prefix DIR'
  case $prefix in
    /*) ;;
    *) prefix=$PWD/$prefix ;;
  esac
  place=$prefix/bin/roomctl
  [ ! -d "$place" ] || fail "$place is a folder: nothing was installed"
  check_programs
  # Unpacked and run beside its place: a program may not be allowed to run in /tmp.
  work=$prefix/bin/.roomctl.$$
  had_prefix=$([ ! -d "$prefix" ] || echo yes)
  had_bin=$([ ! -d "$prefix/bin" ] || echo yes)
  temp=$(mktemp -d)
  trap clean_up EXIT
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
  mkdir -p "$work" 2> /dev/null || fail "cannot write to $prefix/bin; name another folder with --prefix DIR"
  tar -xzf "$temp/$name.tar.gz" -C "$work"
  try_out "$work/$name/roomctl"
  mv -f "$work/$name/roomctl" "$place"
  printf 'installed roomctl %s (%s) as %s\n' "$version" "$target" "$place"
  case ":${PATH-}:" in
    *":$prefix/bin:"*) ;;
    *) printf 'to start it by its name: export PATH="%s/bin:%sPATH"\n' "$prefix" '$' ;;
  esac
  printf 'to remove it: rm "%s"\n' "$place"
}

main "$@"
