// Lua in a worker: text in, text out. No object of JavaScript is ever handed to the engine.
import { installed } from '#guest';
import { messageOf, serve } from './serve.mjs';

/**
 * Closes what leads out, reads and writes JSON, and runs the code. A list that came as JSON stays
 * one when it is empty; an empty table of the code's own is an object.
 */
const INSIDE = String.raw`
local type, next, pairs, tostring, error, pcall = type, next, pairs, tostring, error, pcall
local getmetatable, setmetatable, rawget, rawlen = getmetatable, setmetatable, rawget, rawlen
local sub, byte, find, format, gsub, rep = string.sub, string.byte, string.find, string.format, string.gsub, string.rep
local concat, mathtype, tointeger, char = table.concat, math.type, math.tointeger, utf8.char
local inner_load, tonumber = load, tonumber
local clock, date, time, difftime = os.clock, os.date, os.time, os.difftime

for _, name in ipairs({ 'io', 'package', 'require', 'debug', 'dofile', 'loadfile', 'collectgarbage', 'print', 'warn' }) do
  _G[name] = nil
end
os = { clock = clock, date = date, time = time, difftime = difftime }
print = function() end
-- Text only: bytecode is not checked by the engine.
load = function(chunk, name, _, ...)
  if select('#', ...) > 0 then return inner_load(chunk, name, 't', (...)) end
  return inner_load(chunk, name, 't')
end

local list = { __name = 'list' }
local escapes = { ['"'] = '"', ['\\'] = '\\', ['/'] = '/', b = '\b', f = '\f', n = '\n', r = '\r', t = '\t' }

local function text_at(text, at)
  local parts, from = {}, at + 1
  while true do
    local stop = find(text, '["\\]', from)
    parts[#parts + 1] = sub(text, from, stop - 1)
    if sub(text, stop, stop) == '"' then return concat(parts), stop + 1 end
    local kind = sub(text, stop + 1, stop + 1)
    if kind == 'u' then
      local code = tonumber(sub(text, stop + 2, stop + 5), 16)
      from = stop + 6
      if code >= 0xd800 and code < 0xdc00 and sub(text, from, from + 1) == '\\u' then
        local low = tonumber(sub(text, from + 2, from + 5), 16)
        if low >= 0xdc00 and low < 0xe000 then
          code = 0x10000 + (code - 0xd800) * 0x400 + (low - 0xdc00)
          from = from + 6
        end
      end
      parts[#parts + 1] = char(code)
    else
      parts[#parts + 1] = escapes[kind]
      from = stop + 2
    end
  end
end

-- What JSON.stringify wrote: no white space between, and nothing wrong in it.
local function read(text, at)
  local first = sub(text, at, at)
  if first == '"' then return text_at(text, at) end
  if first == '{' then
    local object = {}
    at = at + 1
    while sub(text, at, at) ~= '}' do
      local key
      key, at = text_at(text, at)
      object[key], at = read(text, at + 1)
      if sub(text, at, at) == ',' then at = at + 1 end
    end
    return object, at + 1
  end
  if first == '[' then
    local items, count = setmetatable({}, list), 0
    at = at + 1
    while sub(text, at, at) ~= ']' do
      count = count + 1
      items[count], at = read(text, at)
      if sub(text, at, at) == ',' then at = at + 1 end
    end
    return items, at + 1
  end
  if first == 't' then return true, at + 4 end
  if first == 'f' then return false, at + 5 end
  if first == 'n' then return nil, at + 4 end
  local _, last = find(text, '^[-+.%deE]+', at)
  return tonumber(sub(text, at, last)), last + 1
end

local function escaped(c) return format('\\u%04x', byte(c)) end
local function quoted(text) return '"' .. gsub(text, '[%c"\\\127]', escaped) .. '"' end

local write

local function written_table(value, depth)
  if depth > 128 then error('the result is nested too deep, or contains itself', 0) end
  local count, size = rawlen(value), 0
  for _ in next, value do size = size + 1 end
  local parts = {}
  if size == count and (size > 0 or getmetatable(value) == list) then
    for at = 1, count do parts[at] = write(rawget(value, at), depth + 1) end
    return '[' .. concat(parts, ',') .. ']'
  end
  for key, inner in next, value do
    local kind = type(key)
    if kind ~= 'string' and kind ~= 'number' then error('a key of the result is a ' .. kind, 0) end
    parts[#parts + 1] = quoted(tostring(key)) .. ':' .. write(inner, depth + 1)
  end
  return '{' .. concat(parts, ',') .. '}'
end

write = function(value, depth)
  local kind = type(value)
  if kind == 'nil' then return 'null' end
  if kind == 'boolean' then return tostring(value) end
  if kind == 'string' then return quoted(value) end
  if kind == 'table' then return written_table(value, depth) end
  if kind ~= 'number' then error('a ' .. kind .. ' cannot be converted to JSON', 0) end
  if mathtype(value) == 'integer' then
    local digits = format('%d', value)
    -- Beyond what a number of JavaScript holds it travels as text.
    if value > 9007199254740991 or value < -9007199254740991 then return quoted(digits) end
    return digits
  end
  if value ~= value or value == math.huge or value == -math.huge then return 'null' end
  local whole = tointeger(value)
  if whole and whole <= 9007199254740991 and whole >= -9007199254740991 then return format('%d', whole) end
  return format('%.17g', value)
end

local function place(cause)
  return type(cause) == 'string' and cause or write(cause, 0)
end

return function(code, state, output)
  state = read(state, 1)
  _G.state = state
  if output then _G.output = read(output, 1) end
  -- Nothing may follow a return: what has one at its end is taken as it is.
  local chunk = inner_load(code .. '\nreturn result', '=code', 't')
  local cause
  if not chunk then chunk, cause = inner_load(code, '=code', 't') end
  if not chunk then return 'E' .. cause end
  local worked, answer = pcall(chunk)
  if not worked then return 'E' .. place(answer) end
  local written, text = pcall(write, answer, 0)
  return (written and 'V' or 'E') .. text
end
`;

serve(async ({ engine, files, memoryMb }) => {
  const loaded = engine ? await import(/* @vite-ignore */ engine) : await import('wasmoon');
  // As a script of the web it makes a global.
  const { LuaFactory } = loaded.LuaFactory ? loaded : globalThis.wasmoon;
  const wasm = files ? new URL('glue.wasm', files).href : installed('wasmoon/dist/glue.wasm')?.path;
  if (!wasm) throw new Error('pass the folder of glue.wasm as `files`: otherwise it would be loaded from another server');
  const factory = new LuaFactory(wasm);

  /** A state in which no code has run. */
  let lua;

  async function renew() {
    lua = await factory.createEngine({ injectObjects: false, enableProxy: false, openStandardLibs: true, traceAllocations: true });
    lua.doStringSync(`hindscope = (function() ${INSIDE} end)()`);
    lua.global.setMemoryMax(memoryMb * 2 ** 20);
  }

  function run({ code, state, output }) {
    let text;
    try {
      text = answerOf(lua, code, state, output);
    } catch (cause) {
      text = `E${messageOf(cause)}`;
    } finally {
      lua.global.close();
    }
    return /^E.*not enough memory$/s.test(text) ? 'M' : text;
  }

  await renew();
  return { run, renew };
});

/** What the code answers, as text: V and JSON, or E and what went wrong. */
function answerOf(lua, code, state, output) {
  lua.global.set('code_given', code);
  lua.global.set('state_given', state);
  if (output !== undefined) lua.global.set('output_given', output);
  // The names are gone before the code sees them.
  return lua.doStringSync(`
    local run, code, state, output = hindscope, code_given, state_given, output_given
    hindscope, code_given, state_given, output_given = nil, nil, nil, nil
    return run(code, state, output)
  `);
}
