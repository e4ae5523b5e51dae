#!/bin/sh
# Installs the single executable for everybody on this machine. It asks nothing of the network:
#
#   sh install.sh FILE [FOLDER]      FILE as `npm run build` makes it, with FILE.sha256 beside it; FOLDER, else /usr/local/bin
set -eu

fail() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

case $# in
  1 | 2) ;;
  *) fail "say which file to install: sh install.sh FILE [FOLDER]" ;;
esac
file=$1
folder=${2:-/usr/local/bin}

[ -f "$file" ] || fail "$file does not exist."
[ -f "$file.sha256" ] || fail "$file.sha256 does not exist. It has the checksum of $file: download it too."
want=$(cut -d ' ' -f 1 "$file.sha256")
if command -v sha256sum >/dev/null; then
  have=$(sha256sum "$file" | cut -d ' ' -f 1)
else
  have=$(shasum -a 256 "$file" | cut -d ' ' -f 1)
fi
[ "$want" = "$have" ] || fail "$file does not match its checksum in $file.sha256. Download both files again."
[ -d "$folder" ] || mkdir -p "$folder" || fail "Cannot create $folder. Name another folder, or run this script as root."
[ -w "$folder" ] || fail "Cannot write to $folder. Name another folder, or run this script as root."

# A name of its own first: an executable that runs is replaced, not written over.
cp "$file" "$folder/.bonafide.new"
chmod 0755 "$folder/.bonafide.new"
version=$("$folder/.bonafide.new" --version) || {
  rm -f "$folder/.bonafide.new"
  fail "$file does not run on this machine."
}
mv -f "$folder/.bonafide.new" "$folder/bonafide"

printf 'bonafide %s is installed in %s.\n' "$version" "$folder"
case ":$PATH:" in
  *":$folder:"*) printf 'Try it: bonafide serve --demo\n' ;;
  *) printf 'Try it: %s/bonafide serve --demo\n' "$folder" ;;
esac
