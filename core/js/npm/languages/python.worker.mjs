// Python in a worker: text in, text out.
import { installed } from '#guest';
import { serve } from './serve.mjs';

/**
 * Wraps the code in a function, reads and writes JSON, and closes the doors: an audit hook cannot be taken off again, and it sees
 * files, sockets, processes and imports before they happen. It is made of constants and calls no method that code could have
 * written, and nothing that code can reach refers to it: so there is nothing in it to change.
 */
const INSIDE = String.raw`
def hindscope_make():
    import ast, json, os, sys
    import asyncio, collections, copy, dataclasses, datetime, decimal, fractions, functools, itertools, math
    import operator, random, re, statistics, string, textwrap, time, traceback, types, typing, unicodedata
    import _imp, importlib.machinery, importlib.util, runpy

    library = tuple(path for path in sys.path if path)
    bridge = ('js', 'pyodide', '_pyodide', 'pyodide_js', '_pyodide_core')
    outside = (*bridge, 'micropip', 'ctypes', '_ctypes', '_ctypes_test',
               'socket', '_socket', 'ssl', '_ssl', 'subprocess', '_posixsubprocess', 'multiprocessing', 'webbrowser', 'http',
               'urllib.request')
    # Built-in modules are made now: by the function that makes them, no hook hears of it.
    for name in sys.builtin_module_names:
        if name not in outside and not name.startswith(('_test', '_xx')) and name not in sys.modules:
            try:
                __import__(name)
            except Exception:
                pass
    # The last of these makes code of bytes, which the engine does not check; what needs it is imported above.
    del _imp.create_builtin, _imp.create_dynamic, _imp.get_frozen_object
    of_bridge = lambda name: name.split('.')[0] in bridge
    sys.meta_path[:] = [finder for finder in sys.meta_path if not of_bridge(finder.__module__)]
    # In the engine's event loop and its kinds of archives, functions of the bridge stay. What these would use goes,
    # and with it all that makes objects of JavaScript or holds one.
    time.sleep = time.sleep.__wrapped__
    asyncio.set_event_loop(None)
    for name, module in list(sys.modules.items()):
        if of_bridge(name) and isinstance(module, types.ModuleType):
            vars(module).clear()
        if name.split('.')[0] in outside or name in outside:
            del sys.modules[name]
    # The environment of the engine holds a path of the host.
    os.environ.clear()
    refused = ('os.', 'shutil.', 'socket.', 'subprocess.', 'ctypes.', 'gc.', 'glob.', 'tempfile.', 'pathlib.', 'fcntl.',
               'ftplib.', 'http.', 'imaplib.', 'poplib.', 'smtplib.', 'urllib.', 'webbrowser.', 'mmap.', 'pty.', 'sqlite3.',
               'sys.addaudithook', 'sys.settrace', 'sys.setprofile', 'sys.monitoring', 'sys._current_frames', 'code.__new__', 'marshal.load')
    hook = f"""
def audit(event, args):
    text = ''.__class__
    if event == 'import':
        for name in {outside!r}:
            if text.__eq__(args[0], name) is not False or text.startswith(args[0], name + '.'):
                raise ImportError('the module ' + name + ' is not available')
        return
    if event == 'open' or event == 'os.listdir' or event == 'os.scandir':
        try:
            is_written = event == 'open' and args[2] & {os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND}
            if not is_written and text.startswith(args[0], {library!r}) and not text.__contains__(args[0], '..'):
                return
        except:
            pass
        raise PermissionError('files are not available')
    if event.startswith({refused!r}):
        raise PermissionError(event + ' is not available')
"""

    def plain(value, depth=0):
        if depth > 128:
            raise ValueError('the result is nested too deep, or contains itself')
        if value is None or isinstance(value, (bool, str)):
            return value
        if isinstance(value, int):
            # Beyond what a number of JavaScript holds it travels as text.
            return int(value) if -9007199254740991 <= value <= 9007199254740991 else str(int(value))
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else None
        if isinstance(value, dict):
            return {key if isinstance(key, str) else json.dumps(key): plain(inner, depth + 1) for key, inner in value.items()}
        if isinstance(value, (list, tuple)):
            return [plain(inner, depth + 1) for inner in value]
        raise TypeError(f'a {type(value).__name__} cannot be converted to JSON')

    def described(cause):
        lines = [frame.lineno for frame in traceback.extract_tb(cause.__traceback__) if frame.filename == 'code']
        place = f' (line {lines[-1]})' if lines else ''
        return f'{type(cause).__name__}: {cause}{place}'

    def run(code, state, output):
        names = ['state'] if output is None else ['state', 'output']
        try:
            body = ast.parse(code, 'code').body
            tail = ast.parse('try:\n    return result\nexcept NameError:\n    return None').body
            module = ast.parse(f"def function({', '.join(names)}): pass")
            module.body[0].body = [*body, *tail]
            space = {'__name__': '__main__', '__builtins__': __builtins__}
            exec(compile(ast.fix_missing_locations(module), 'code', 'exec'), space)
            given = [json.loads(text) for text in (state, output) if text is not None]
            # The names that code has in the_edge_agent.
            of_loop = ('reflection_output', 'reflection_errors', 'reflection_iteration')
            known = given[0] if isinstance(given[0], dict) else {}
            space.update({'json': json, 're': re}, **{name: known[name] for name in of_loop if name in known})
            return 'V' + json.dumps(plain(space['function'](*given)), allow_nan=False)
        except BaseException as cause:
            try:
                return 'E' + described(cause)
            except BaseException:
                return 'Ean exception without a message'

    made = {}
    exec(hook, made)
    sys.addaudithook(made.pop('audit'))
    return run

globals().pop('hindscope_make')
`;

serve(async ({ engine, files }) => {
  const here = files ? undefined : installed('pyodide/pyodide.mjs');
  if (!files && !here) throw new Error('pass the folder of pyodide as `files`: otherwise it would be loaded from another server');
  const { loadPyodide } = engine ? await import(/* @vite-ignore */ engine) : await import('pyodide');
  const python = await loadPyodide({
    ...(files ? { indexURL: files } : here ? { indexURL: here.path.slice(0, -'pyodide.mjs'.length) } : {}),
    // What `import js` would give.
    jsglobals: Object.create(null),
    env: { HOME: '/' },
    stdin: () => null,
    stdout() {},
    stderr() {},
  });
  // Called by itself: what runs a text of Python is one of the things that it removes.
  const run = python.runPython(INSIDE)();
  return { run: ({ code, state, output }) => run(code, state, output) };
});
