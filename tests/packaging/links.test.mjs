// Links lead somewhere: those of the reference that is made from the types, and those of documents.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { root } from '../faces.mjs';
import { scratch } from '../npm/package.mjs';

const script = join(root, 'core/js/reference.mjs');

const ABROAD = /^[a-z]+:/;

/**
 * The links of texts that lead nowhere, as `file → link`. A text has `links`, and `anchors` to which others may
 * lead; what is not among the texts must be a file.
 */
function astray(texts) {
  const wrong = [];
  for (const [file, { links }] of texts) {
    for (const link of links) {
      if (ABROAD.test(link)) continue;
      const [path, anchor] = decodeURIComponent(link).split('#');
      const target = path === '' ? file : resolve(dirname(file), path);
      const isThere = texts.has(target) ? !anchor || texts.get(target).anchors.has(anchor) : existsSync(target);
      if (!isThere) wrong.push(`${file} → ${link}`);
    }
  }
  return wrong;
}

/** Texts of a folder with this ending, each read by a function. */
function texts(files, read) {
  return new Map(files.map((file) => [file, read(readFileSync(file, 'utf8'))]));
}

const all = (text, pattern) => Array.from(text.matchAll(pattern), ([, found]) => found);

test('the reference has every entry, and no link in it leads nowhere', () => {
  const folder = join(scratch(), 'api');
  execFileSync('node', [script, join(root, 'core/js/npm'), folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.html')).map((file) => join(folder, file));
  const pages = texts(files, (text) => ({
    links: all(text, /<[^>]* (?:href|src)="([^"]*)"/g).map((link) => link.replaceAll('&amp;', '&')),
    anchors: new Set(all(text, / id="([^"]*)"/g)),
  }));
  const links = [...pages.values()].reduce((sum, page) => sum + page.links.length, 0);
  assert.ok(pages.size > 250 && links > 5000, `${pages.size} pages, ${links} links`);
  assert.deepEqual(astray(pages).map((line) => line.replaceAll(folder, '')), []);

  const { exports } = JSON.parse(readFileSync(join(root, 'core/js/npm/package.json'), 'utf8'));
  const entries = Object.keys(exports).filter((entry) => exports[entry].types).map((entry) => `hindscope${entry.slice(1)}`);
  const modules = readdirSync(join(folder, 'modules')).map((file) => file.replace('.html', ''));
  assert.deepEqual(modules.sort(), entries.map((entry) => entry.replaceAll('/', '_')).sort());
});

test('a comment whose link leads nowhere is refused, and nothing is written', () => {
  const folder = scratch();
  writeFileSync(join(folder, 'README.md'), '# lost\n');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'lost', exports: { '.': { types: './index.d.ts' } } }));
  writeFileSync(join(folder, 'index.d.ts'), '/** See {@link Nowhere}. */\nexport type Lost = 1;\n');
  const run = () => execFileSync('node', [script, folder, join(folder, 'api')], { stdio: 'pipe' });
  assert.throws(run, ({ status, stdout, stderr }) => status === 1 && /link to "Nowhere"/.test(`${stdout}${stderr}`));
  assert.ok(!existsSync(join(folder, 'api')));
});

test('a member without a comment is refused', () => {
  const folder = scratch();
  writeFileSync(join(folder, 'README.md'), '# silent\n');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'silent', exports: { '.': { types: './index.d.ts' } } }));
  const members = '  /** It says something. */\n  told: number;\n  silent: number;\n';
  writeFileSync(join(folder, 'index.d.ts'), `/** One. */\nexport interface One {\n${members}}\n`);
  const run = () => execFileSync('node', [script, folder, join(folder, 'api')], { stdio: 'pipe' });
  assert.throws(run, ({ status, stdout, stderr }) => status === 1 && /\.silent has no comment/.test(`${stdout}${stderr}`));
});

test('no link of a document leads nowhere', () => {
  const tops = readdirSync(root).filter((name) => !['.git', 'node_modules', 'target'].includes(name));
  const within = (top) => (statSync(join(root, top)).isDirectory() ? readdirSync(join(root, top), { recursive: true }).map((name) => join(top, name)) : [top]);
  // Fixtures are what others wrote.
  const files = tops.flatMap(within).filter((file) => file.endsWith('.md') && !file.startsWith('tests/fixtures/')).map((file) => join(root, file));
  const documents = texts(files, (text) => {
    const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '');
    // As GitHub and npm name headings.
    const slug = (heading) => heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\- _]/gu, '').replaceAll(' ', '-');
    return { links: all(prose.replaceAll(/`[^`]*`/g, ''), /\]\(([^)\s]+)\)/g), anchors: new Set(all(prose, /^#+ (.*)$/gm).map(slug)) };
  });
  const links = [...documents.values()].reduce((sum, document) => sum + document.links.length, 0);
  assert.ok(documents.size >= 10 && links >= 30, `${documents.size} documents, ${links} links`);
  assert.deepEqual(astray(documents).map((line) => relative(root, line)), []);
});
