// What the shells complete. Each script is run by its own shell where that is installed; without it the
// script of zsh is run by bash, as it is written in what both understand, and that of fish is read.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { answersHere, home, installed } from './cli.mjs';

const module = (name) => import(pathToFileURL(join(installed, 'cli', name)).href);
const { allCommands } = await module('commands.mjs');
const { optionsOf } = await module('options.mjs');
const commands = await allCommands();

const folder = join(home, 'completion');
mkdirSync(join(folder, 'runs'), { recursive: true });
mkdirSync(join(folder, 'a name'));
writeFileSync(join(folder, 'notes.md'), '');
const scripts = {};
for (const shell of ['bash', 'zsh', 'fish']) {
  scripts[shell] = join(folder, `hindscope.${shell}`);
  writeFileSync(scripts[shell], await answersHere(['completion', shell]));
}

const lines = (text) => text.split('\n').filter((line) => line !== '');
const quoted = (word) => `'${word.replaceAll("'", "'\\''")}'`;
/** Why a shell cannot be asked. */
const lacks = (shell) => (spawnSync(shell, ['--version']).error ? `NOT TESTED: there is no ${shell} here` : false);

/** What people type, and what they are offered; null: names of files. */
const CASES = [
  [['st'], ['stats']],
  [['help', 'compl'], ['completion']],
  [['window', '--po'], ['--policy']],
  [['window', '--policy', 're'], ['recency', 'relevance_weighted']],
  [['completion', 'z'], ['zsh']],
  [['stats', 'ru'], null],
];

test('bash', () => {
  execFileSync('bash', ['-n', scripts.bash]);
  const own = [[['stats', 'a n'], ['a name']], [['convert', '-t', 'cs'], ['csv']], [['convert', '--to', '=', 'cs'], ['csv']]];
  for (const [words, expected] of [...CASES, ...own]) {
    const all = ['hindscope', ...words];
    const script = `source ${scripts.bash}; COMP_WORDS=(${all.map(quoted).join(' ')}); COMP_CWORD=${all.length - 1}; _hindscope; printf '%s\\n' "\${COMPREPLY[@]}"`;
    assert.deepEqual(lines(execFileSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' })), expected ?? ['runs'], words.join(' '));
  }
});

/** What the script of zsh hands to the functions of zsh, for a command line. */
function handed(shell, words) {
  // Arrays of zsh begin with 1, those of bash with 0.
  const isBash = shell === 'bash';
  const all = [...(isBash ? ['before'] : []), 'hindscope', ...words].map(quoted).join(' ');
  const script = `compdef() { printf '%s\\0' compdef "$@"; }
_describe() { printf 'describe\\0'; }
_arguments() { printf '%s\\0' arguments "$@"; }
${isBash ? 'shift() { :; }' : ''}
source ${scripts.zsh}
words=(${all})
CURRENT=${words.length + 1}
_hindscope`;
  return execFileSync(shell, [...(isBash ? [] : ['-f']), '-c', script], { cwd: folder, encoding: 'utf8' }).split('\0').slice(0, -1);
}

for (const shell of ['bash', 'zsh']) {
  test(`what zsh gets for each command, run by ${shell}`, { skip: lacks(shell) }, () => {
    execFileSync(shell, ['-n', scripts.zsh]);
    assert.deepEqual(handed(shell, ['st']), ['compdef', '_hindscope', 'hindscope', 'describe']);
    for (const one of commands) {
      const [, , , what, ...specs] = handed(shell, [one.name, '']);
      assert.equal(what, 'arguments', one.name);
      const rest = specs.pop();
      assert.equal(rest, one.takes?.first ? `1:value:(${one.takes.first.join(' ')})` : '*:path:_files', one.name);
      const offered = specs.map((spec) => {
        // (those that exclude it)--name[what it is for]:message:what completes it
        const parts = /^(\*|\([^)]*\))?(-\w|--[\w-]+)\[((?:[^\\[\]]|\\.)*)\](?::([\w-]+):(_files|\([\w. -]+\)))?$/.exec(spec);
        assert.ok(parts, `${one.name}: ${spec}`);
        return parts;
      });
      const names = Object.entries(optionsOf(one)).flatMap(([name, { short }]) => [...(short ? [`-${short}`] : []), `--${name}`]);
      assert.deepEqual(offered.map(([, , name]) => name), names, one.name);
      for (const [spec, before, name, , , values] of offered) {
        const [, option] = Object.entries(optionsOf(one)).find(([long, { short }]) => [`--${long}`, `-${short}`].includes(name));
        assert.equal(before === '*', option.multiple === true, spec);
        assert.equal(values, option.type === 'boolean' ? undefined : option.choices ? `(${option.choices.join(' ')})` : '_files', spec);
      }
    }
  });
}

/** A zsh that says each word that it would offer, and is gone. */
const OFFERING = `PROMPT=
autoload -Uz compinit
compinit -u -D
bindkey '^M' undefined-key
bindkey '^J' undefined-key
bindkey '^I' complete-word
comppostfuncs=(exit)
compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then
    builtin compadd "$@"
    return
  fi
  local -a hits
  builtin compadd -A hits "$@"
  local hit
  for hit in $hits; do print -r -- "WORD<$hit>"; done
}
source ${scripts.zsh}
print READY
`;

/** What zsh offers on a terminal: it completes nowhere else. */
function offeredByZsh(words) {
  const setup = join(folder, 'offering.zsh');
  writeFileSync(setup, OFFERING);
  const script = `zmodload zsh/zpty
zpty asked zsh -f -i
zpty -w asked ${quoted(`source ${setup}`)}
while zpty -r asked text; do [[ $text == READY* ]] && break; done
zpty -w asked ${quoted(['hindscope', ...words].join(' '))}$'\\t'
while zpty -r asked text; do print -r -- $text; done`;
  const { stdout } = spawnSync('zsh', ['-f', '-c', script], { cwd: folder, encoding: 'utf8', timeout: 30_000 });
  return Array.from(stdout.matchAll(/WORD<([^>]*)>/g), ([, word]) => word);
}

test('zsh', { skip: lacks('zsh') }, () => {
  for (const [words, expected] of CASES) {
    assert.deepEqual([...new Set(offeredByZsh(words))].sort(), expected ?? ['runs'], words.join(' '));
  }
});

/** The words of a line of fish: of its quotes, only those that are single are used. */
function wordsOfFish(line) {
  const words = line.match(/'(?:[^'\\]|\\.)*'|[^\s'"$\\(){};&|<>*?#~]+/g);
  assert.equal(words.join(' '), line, 'nothing that fish would make something else of');
  return words.map((word) => (word.startsWith("'") ? word.slice(1, -1).replaceAll(/\\(['\\])/g, '$1') : word));
}

test('what fish gets, line by line', async () => {
  const [comment, ...all] = lines(await answersHere(['completion', 'fish']));
  assert.match(comment, /^# /);
  const entries = all.map((line) => {
    const [complete, ...words] = wordsOfFish(line);
    assert.equal(complete, 'complete');
    const given = {};
    for (let at = 0; at < words.length; at += 1) {
      if (['-f', '-r', '-x'].includes(words[at])) given[words[at]] = true;
      else given[words[at]] = words[(at += 1)];
    }
    assert.equal(given['-c'], 'hindscope', line);
    return given;
  });
  const first = entries.filter((given) => given['-n'] === '__fish_use_subcommand');
  assert.deepEqual(first.map((given) => [given['-a'], given['-d']]), commands.map(({ name, summary }) => [name, summary]));
  const ofHelp = entries.filter((given) => given['-n'] === '__fish_seen_subcommand_from help');
  assert.deepEqual(ofHelp.map((given) => given['-a']), [commands.map(({ name }) => name).join(' ')]);
  for (const one of commands) {
    const own = entries.filter((given) => given['-n'] === `__fish_seen_subcommand_from ${one.name}`);
    const options = own.filter((given) => given['-l']);
    const expected = Object.entries(optionsOf(one)).map(([name, { short, says, type, choices }]) => [name, short, says, type === 'string' && !choices, choices?.join(' ')]);
    assert.deepEqual(options.map((given) => [given['-l'], given['-s'], given['-d'], given['-r'] === true, given['-a']]), expected);
    assert.deepEqual(own.filter((given) => !given['-l']).map((given) => given['-a']), one.takes?.first ? [one.takes.first.join(' ')] : []);
  }
});

test('fish', { skip: lacks('fish') }, () => {
  for (const [words, expected] of CASES) {
    const asked = `source ${scripts.fish}; complete -C ${quoted(['hindscope', ...words].join(' '))}`;
    const offered = lines(execFileSync('fish', ['--no-config', '-c', asked], { cwd: folder, encoding: 'utf8' })).map((line) => line.split('\t')[0].replace(/\/$/, ''));
    assert.deepEqual(offered.sort(), expected ?? ['runs'], words.join(' '));
  }
});
