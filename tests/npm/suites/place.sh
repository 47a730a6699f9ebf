#!/bin/sh
# Places the JSON-Schema-Test-Suite that `json-schema.json` is about where suites.test.mjs looks for it: beside the
# repository, or in another folder, which HINDSCOPE_SCHEMA_SUITE then names.
#
#   tests/npm/suites/place.sh [FOLDER]
#
# The suite is on no registry of its own. Python's `jsonschema` carries a copy in its source package, and that has
# a version and a hash; what the suite has at another time has other tests.
set -eu
version=4.26.0
hash=0c26707e2efad8aa1bfc5b7ce170f3fccc2e4918ff85989ba9ffa9facb2be326

folder=${1:-$(cd "$(dirname "$0")/../../../.." && pwd)/JSON-Schema-Test-Suite}
if [ -e "$folder" ]; then
  echo "$folder is there already. Remove it to place the suite anew." >&2
  exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m pip download --quiet --no-deps --no-binary jsonschema --dest "$work" "jsonschema==$version"
echo "$hash  $work/jsonschema-$version.tar.gz" | sha256sum --check --quiet
tar -xzf "$work/jsonschema-$version.tar.gz" -C "$work" "jsonschema-$version/json"
mkdir -p "$(dirname "$folder")"
mv "$work/jsonschema-$version/json" "$folder"
echo "The suite is in $folder."
