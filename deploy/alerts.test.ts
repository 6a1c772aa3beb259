import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startAppForTests } from '../server/test/harness.ts';

const root = resolve(import.meta.dirname, '..');
const rules = readFileSync(join(root, 'deploy/prometheus/alerts.yaml'), 'utf8');
const tests = readFileSync(join(root, 'deploy/prometheus/alerts.test.yaml'), 'utf8');
const runbooks = readFileSync(join(root, 'docs/runbooks.md'), 'utf8');
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
const headings = [...runbooks.matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name);

const app = startAppForTests();

describe('the alert rules', () => {
  it('have a runbook each, and every runbook has an alert', () => {
    expect(alerts.length).toBeGreaterThan(5);
    expect(headings.sort()).toEqual([...alerts].sort());
    for (const alert of alerts) expect(rules).toContain(`runbook: docs/runbooks.md#${alert.toLowerCase()}\n`);
  });

  it('have test cases for firing and for staying silent', () => {
    for (const alert of alerts) {
      expect(tests).toMatch(new RegExp(`- \\{ eval_time: \\w+, alertname: ${alert} \\}`));
      expect(tests).toMatch(new RegExp(`- eval_time: \\w+\n        alertname: ${alert}\n        exp_alerts:`));
    }
  });

  it('pass their test cases in Prometheus if its tool is installed', () => {
    const tool = spawnSync('promtool', ['test', 'rules', 'deploy/prometheus/alerts.test.yaml'], {
      cwd: root,
      encoding: 'utf8',
    });
    // Without the tool, the test above still checks that each alert has both cases.
    if (tool.error === undefined) expect(`${tool.stdout}${tool.stderr}`).toMatch(/^ *SUCCESS$/m);
    else expect(tool.error).toMatchObject({ code: 'ENOENT' });
  });
});

interface Dashboard {
  panels: { id: number; description: string; gridPos: { x: number; y: number }; targets: { expr: string }[] }[];
}

/** The names of all metrics that the app exports. */
async function exportedMetrics(): Promise<string[]> {
  await app.app.inject('/healthz');
  const { body } = await app.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' });
  return [...body.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);
}

const metricsIn = (text: string) =>
  new Set([...text.matchAll(/\b(\w+)\{job="heartwood"/g)].map(([, name = '']) => name.replace(/_(count|bucket)$/, '')));

describe('the queries', () => {
  const { panels } = JSON.parse(readFileSync(join(root, 'deploy/grafana/heartwood.json'), 'utf8')) as Dashboard;
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

  it.each([
    ['the alerts', rules],
    ['the dashboard', queries.join('\n')],
  ])('of %s use only metrics that the app exports', async (_, text) => {
    const exported = await exportedMetrics();
    const used = [...metricsIn(text)].filter((name) => name !== 'up');
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((name) => !exported.includes(name))).toEqual([]);
  });

  it('of the dashboard cover every exported metric, in panels that refer to existing alerts', async () => {
    const own = (await exportedMetrics()).filter((name) => !/^(nodejs|process|pii|audit|eager|staff_at)_/.test(name));
    expect(own.filter((name) => !metricsIn(queries.join('\n')).has(name))).toEqual([]);
    const named = panels.flatMap(({ description }) => description.match(/Heartwood\w+/g) ?? []);
    expect(named.filter((name) => !alerts.includes(name))).toEqual([]);
  });

  it('of the dashboard select this job, each in a separate panel', () => {
    expect(queries.filter((query) => !query.includes('{job="heartwood"'))).toEqual([]);
    expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });
});
