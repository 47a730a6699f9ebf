// Findings: the list with its filters, groups and muted rules, and what of the files was lost.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

async function start(t, options) {
  const { page, ...rest } = await openPage(t, options);
  const at = await new HindscopePage(page).ready();
  return { at, page, ...rest };
}

const record = (iteration) =>
  JSON.stringify({
    loop_id: 'ralph-fixture',
    iteration,
    timestamp: `2026-03-01T09:0${iteration}:00Z`,
    actor_output: { actions: [{ type: 'other', description: 'Try again' }], rationale: 'Close.' },
    evaluator_output: { passed: false, verification_type: 'unit_tests', reward_signal: 0.2 },
    self_reflection: { reflection_text: 'Clear the cache before the port is read again.' },
    memory_metadata: { omega_capacity: 3, current_memory_size: 1 },
  });

const lost = '{"loop_id": nope, "note": "é"}';

async function damaged(t) {
  return tempFolder(t, {
    'a.jsonl': [0, 1, 2].map(record).join('\n') + `\n${lost}\n${record(3)}\n`,
    'q.joblib': new Uint8Array([0x80, 0x04, 0x95, 0, 1, 2, 3, 0xff]),
  });
}

test('a stuck loop is found beside what reading says, with its rule and evidence', async (t) => {
  const { at, page } = await start(t);
  await at.drop([await damaged(t)]);
  await at.goto('#/findings?rule=stuck%2Frepeated-reflection');
  await at.findings.first().waitFor();
  assert.match(await page.locator('.findings-count').textContent(), /^\s*Checked 1 run for problems\./);
  const detail = page.getByRole('region', { name: 'Finding', exact: true });
  await detail.waitFor();
  assert.match(await detail.textContent(), /Rule: At least 3 reflections in a row are the same/);
  const evidence = detail.locator('.finding-evidence a');
  assert.deepEqual(await evidence.allTextContents(), ['0', '1', '2', '3']);
  await evidence.nth(2).click();
  assert.match(at.hash(), /^#\/run\/ralph-fixture\/i\/2/);
  await at.goto('#/run/ralph-fixture/findings');
  await at.findings.first().waitFor();
  const rules = await at.rules();
  assert.ok(rules.includes('stuck/repeated-reflection'), `${rules}`);
});

test('what runs did and problems of files are two kinds', async (t) => {
  const { at, page } = await start(t);
  await at.drop([await damaged(t)]);
  await at.goto('#/findings');
  await at.findings.first().waitFor();
  await page.locator('.findings-count', { hasText: 'Checked 1 run for problems.' }).waitFor();
  const kinds = page.getByRole('group', { name: 'Kind' }).getByRole('button');
  const counts = (await kinds.allTextContents()).map((text) => Number(text.match(/\d+$/)[0]));
  assert.ok(counts[0] > 0 && counts[1] > 0, counts.join());
  for (const [nth, hash] of [[0, /kind=run/], [1, /kind=file/]]) {
    await kinds.nth(nth).click();
    await page.waitForFunction(([source]) => new RegExp(source).test(location.hash), [hash.source]);
    await page.locator('.filters-left', { hasText: `Showing ${counts[nth]} of ${counts[0] + counts[1]};` }).waitFor();
  }
});

test('a muted rule is counted, and stands in the address', async (t) => {
  const { at, page } = await start(t);
  await at.sample('improving');
  await at.goto('#/findings');
  await at.findings.first().waitFor();
  await page.locator('.findings-count', { hasText: 'Checked 3 runs for problems.' }).waitFor();
  const before = await page.locator('.filters-left').textContent();
  const rule = await page.locator('.finding-detail .rule').textContent();
  await page.getByRole('button', { name: 'Mute this rule' }).click();
  await page.locator('.muted-rules').waitFor();
  await page.waitForFunction(() => / [1-9]\d* hidden/.test(document.querySelector('.muted-rules')?.textContent));
  assert.match(await page.locator('.muted-rules').textContent(), /^1 rule muted, \d+ hidden/);
  assert.equal(new URLSearchParams(at.hash().split('?')[1]).get('mute'), rule);
  assert.ok(!(await at.rules()).includes(rule));
  await page.getByRole('button', { name: 'Unmute all' }).click();
  await page.waitForFunction((text) => document.querySelector('.filters-left')?.textContent === text, before);
});

test('findings are put together by rule, and a group closes', async (t) => {
  const { at, page } = await start(t);
  await at.sample('improving');
  await at.goto('#/findings?by=rule');
  const group = page.locator('.group-button').first();
  await group.waitFor();
  await page.locator('.findings-count', { hasText: 'Checked 3 runs for problems.' }).waitFor();
  const lines = Number(await at.list.getAttribute('aria-rowcount'));
  const count = Number((await group.locator('.count').textContent()).replace(/\D/g, ''));
  await group.click();
  await page.waitForFunction(
    (rows) => Number(document.querySelector('.finding-list')?.getAttribute('aria-rowcount')) === rows,
    lines - count,
  );
  assert.match(at.hash(), /shut=/);
});

test('what was skipped is saved byte by byte', async (t) => {
  const { at, page } = await start(t);
  const folder = await damaged(t);
  await at.drop([folder]);
  await at.goto('#/findings?show=damage');
  const file = page.locator('.damaged', { hasText: 'a.jsonl' });
  await file.locator('.fold-button').click();
  const part = file.locator('.damage-part');
  await part.waitFor();
  assert.match(await file.locator('.damaged-facts').textContent(), /kept 4\s+skipped 1\s+repaired 0/);
  assert.match(await part.textContent(), /skipped4:13jsonl\/bad-line/);
  await part.getByRole('button', { name: 'Bytes' }).click();
  const marks = part.locator('.hex-bytes mark');
  await marks.first().waitFor();
  const hex = (await marks.allTextContents()).join(' ').trim().split(/\s+/).join('');
  assert.equal(Buffer.from(hex, 'hex').toString(), lost);
  const saving = page.waitForEvent('download');
  await part.getByRole('button', { name: /^Save/ }).click();
  const saved = await saving;
  assert.equal(saved.suggestedFilename(), 'a-line-4.jsonl');
  assert.equal(await readFile(await saved.path(), 'utf8'), lost);
  assert.match(await page.locator('.damaged', { hasText: 'q.joblib' }).textContent(), /refused/);
});

test('the findings shown are saved, and no others', async (t) => {
  const { at, page } = await start(t);
  await at.drop([await damaged(t)]);
  await at.goto('#/findings?rule=jsonl%2Fbad-line');
  await at.findings.first().waitFor();
  const save = async (name) => {
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: `Export ${name} of the findings shown` }).click();
    return readFile(await (await saving).path(), 'utf8');
  };
  const { findings } = JSON.parse(await save('JSON'));
  assert.deepEqual(findings.map((finding) => [finding.rule, finding.line]), [['jsonl/bad-line', 4]]);
  const lines = (await save('CSV')).trimEnd().split('\r\n');
  assert.equal(lines.length, 2);
  assert.match(lines[1], /^error,jsonl\/bad-line,/);
});

test('no control passes the edge at 320 pixels, with thousands of findings of each kind', async (t) => {
  // Each run repeats one reflection, and is followed by a line that cannot be read.
  const runs = Array.from({ length: 1100 }, (_, run) => {
    const own = [0, 1, 2].map((at) => record(at).replace('ralph-fixture', `ralph-${run}`));
    return `${own.join('\n')}\n${lost}\n`;
  });
  const folder = await tempFolder(t, { 'many.jsonl': runs.join('') });
  const { at, page } = await start(t, { viewport: { width: 320, height: 640 } });
  await at.drop([path.join(folder, 'many.jsonl')]);
  await at.goto('#/findings');
  await at.findings.first().waitFor();
  await page.locator('.findings-count', { hasText: /^\s*Checked 1,100 runs/ }).waitFor();
  const counts = await page.getByRole('group', { name: 'Kind' }).locator('.count').allTextContents();
  assert.ok(counts.every((text) => Number(text.replace(/\D/g, '')) >= 1000), counts.join());
  const beyond = await page.locator('.app').evaluate((app) =>
    [...app.querySelectorAll('a, button, input, select, [tabindex]')]
      .filter((control) => control.checkVisibility() && control.getBoundingClientRect().right > innerWidth)
      .map((control) => control.outerHTML.slice(0, 120)));
  assert.deepEqual(beyond, []);
  assert.equal(await at.scrollsSideways(), false);
});

test('nothing scrolls sideways where there is little room', async (t) => {
  const { at, page } = await start(t, { viewport: { width: 320, height: 640 } });
  await at.drop([await damaged(t)]);
  await at.goto('#/findings');
  await at.findings.first().waitFor();
  assert.equal(await at.scrollsSideways(), false);
  await at.findings.first().locator('.row-link').click();
  await page.locator('.finding-detail').waitFor();
  await page.locator('.finding-close').click();
  await page.locator('.finding-detail').waitFor({ state: 'detached' });
  await at.goto('#/findings?show=damage');
  await page.locator('.damaged').first().waitFor();
  assert.equal(await at.scrollsSideways(), false);
});
