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
  await hindscopePage.init({ module_or_path: page });
})();
