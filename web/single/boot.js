// Starts the single file: both programs lie in it, packed, for nothing can be fetched from a disk.
(async () => {
  const block = (id) => document.getElementById(id);
  const inflate = async (id) => {
    const packed = Uint8Array.from(atob(block(id).textContent.trim()), (sign) => sign.charCodeAt(0));
    const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Response(plain).arrayBuffer();
  };
  const compile = async (id) => WebAssembly.compile(await inflate(id));
  const [page, reader] = await Promise.all([compile('page-wasm'), compile('reader-wasm')]);
  const script = new Blob([block('reader-glue').textContent], { type: 'text/javascript' });
  // The page takes these up by name: web/src/platform/link.rs and carried.rs.
  self.hindscopeWorker = { script, module: reader };
  const data = block('hindscope-data');
  if (data.textContent) {
    self.hindscopeData = new File([await inflate('hindscope-data')], data.dataset.name);
  }
  if (data.dataset.live !== undefined) self.hindscopeServed = await served();
  await hindscopePage.init({ module_or_path: page });
})();

// What `hindscope view --follow` serves, in the form in which browsers give files and folders that can be read again.
async function served() {
  const ask = async (...names) => {
    const address = `live/${names.map(encodeURIComponent).join('/')}`;
    const answer = await fetch(address, { cache: 'no-store' }).catch(() => {
      throw new DOMException('`hindscope view` does not run any more', 'DataError');
    });
    if (answer.ok) return answer;
    throw new DOMException((await answer.text()).trim(), answer.status === 404 ? 'NotFoundError' : 'DataError');
  };
  const handle = ({ name, isFolder }, root) => {
    const known = new Map();
    const handleOf = ({ name, size, modified, problem }) => ({
      kind: 'file',
      name,
      async getFile() {
        if (problem) throw new DOMException(problem, 'DataError');
        const version = `${size} ${modified}`;
        if (known.get(name)?.version !== version) {
          const content = await (await ask(root, name)).blob();
          known.set(name, { version, file: new File([content], name, { lastModified: modified }) });
        }
        return known.get(name).file;
      },
    });
    const files = async () => {
      const listed = await (await ask(root)).json();
      const names = new Set(listed.map(({ name }) => name));
      for (const name of known.keys()) if (!names.has(name)) known.delete(name);
      return listed.map(handleOf);
    };
    return isFolder
      ? { kind: 'directory', name, async *values() { yield* await files(); } }
      : { kind: 'file', name, getFile: async () => (await files())[0].getFile() };
  };
  return (await (await ask()).json()).map(handle);
}
