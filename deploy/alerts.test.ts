import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../server/test/harness.ts';

const root = resolve(import.meta.dirname, '..');
const rules = readFileSync(join(root, 'deploy/prometheus/alerts.yaml'), 'utf8');
const tests = readFileSync(join(root, 'deploy/prometheus/alerts.test.yaml'), 'utf8');
const runbooks = readFileSync(join(root, 'docs/runbooks.md'), 'utf8');
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
const headings = [...runbooks.matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name);

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe('alert rules', () => {
  it('have a runbook each, and no runbook is without an alert', () => {
    expect(alerts.length).toBeGreaterThan(5);
    expect(headings.sort()).toEqual([...alerts].sort());
    for (const alert of alerts) expect(rules).toContain(`runbook: docs/runbooks.md#${alert.toLowerCase()}\n`);
  });

  it('are tested both ways: each fires, and none without a cause', () => {
    for (const alert of alerts) {
      expect(tests).toContain(`- { eval_time: 50m, alertname: ${alert} }`);
      expect(tests).toContain(`- eval_time: 50m\n        alertname: ${alert}\n        exp_alerts:`);
    }
  });

  it('use only metrics that the app exports', async () => {
    await app.app.inject('/healthz');
    const { body } = await app.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' });
    const exported = [...body.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);
    const used = new Set([...rules.matchAll(/\b(\w+)\{job="heartwood"/g)].map(([, name = '']) => name));
    used.delete('up');
    expect(used.size).toBeGreaterThan(5);
    for (const name of used) expect(exported).toContain(name.replace(/_(count|bucket)$/, ''));
  });
});
