import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { listTransparency, makeTransparencyReport, type PublishedReport } from '#contract/moderation/transparency.ts';
import { getAuditCheck, listAudit } from '#contract/moderation/audit.ts';
import { received, serve } from '../../../test/fake-server.ts';
import { administrator } from '../../../test/fixtures/people.ts';
import { renderApp } from '../../../test/render-app.tsx';

const sha256 = 'ab'.repeat(32);
const published = (year: number): PublishedReport => ({
  report: {
    format: 1,
    year,
    version: 1,
    madeAt: `${year + 1}-01-02T05:25:00.000Z`,
    figures: [
      {
        figure: 'reports.source',
        total: 140,
        groups: [
          { name: 'notice', count: 100 },
          { name: 'from-the-future', count: 20 },
        ],
        other: 20,
      },
      { figure: 'decisions.rule', total: 30, groups: [{ name: '2', count: 30 }], other: 0 },
      { figure: 'staff.role', total: null, groups: [], other: 0 },
    ],
    shares: [
      { share: 'ruleErrors', percent: 12 },
      { share: 'appealsOverturned', percent: null },
    ],
    times: [{ what: 'decision', cases: 50, medianMinutes: 90, p90Minutes: 4000 }],
    statements: { lines: 30, sha256 },
  },
  files: [
    { file: 'report', bytes: 5000, sha256 },
    { file: 'figures', bytes: 900, sha256 },
    { file: 'statements', bytes: 90_000, sha256 },
  ],
  seal: year === 2025 ? { batch: 12, hash: 'cd'.repeat(32) } : null,
});

describe('/app/transparency', () => {
  it('shows the newest year to everyone, without small numbers and with files to download', async () => {
    serve(listTransparency, () => ({ data: { reports: [published(2025), published(2024)] } }));
    const { person } = renderApp('/app/transparency');
    const sources = await screen.findByRole('list', { name: 'Reports by source' });
    expect(
      within(sources)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Members100', 'from-the-future20', 'Others20', 'Total140']);
    expect(within(screen.getByRole('list', { name: 'Decisions by rule' })).getByText('Rule 2')).toBeVisible();
    expect(within(screen.getByRole('list', { name: 'Staff today, by role' })).getByText('fewer than 10')).toBeVisible();
    expect(screen.getByText('12%')).toBeVisible();
    expect(screen.getByText('1h 30m, 2d 18h')).toBeVisible();
    const download = screen.getByRole('link', { name: 'Statements of reasons (NDJSON)' });
    expect(download).toHaveAttribute('href', '/api/v1/transparency/2025/statements');
    await person.click(screen.getByRole('button', { name: 'Check that nothing was changed' }));
    expect(screen.getByText(/in batch 12/)).toBeVisible();
    await person.click(screen.getByRole('button', { name: '2024' }));
    expect(screen.getAllByRole('list', { name: 'Reports by source' })).toHaveLength(2);
  });

  it('shows that there is no report yet', async () => {
    serve(listTransparency, () => ({ data: { reports: [] } }));
    renderApp('/app/transparency');
    expect(await screen.findByText(/^No report yet/)).toBeVisible();
  });
});

describe('the audit page', () => {
  it('can publish last year’s report', async () => {
    serve(getAuditCheck, () => ({ data: { newest: null, check: null, running: null } }));
    serve(listAudit, () => ({
      data: { events: [], pagination: { page: 1, limit: 20, total: 0, pages: 0, nextCursor: null } },
    }));
    serve(makeTransparencyReport, () => ({}));
    const { person } = renderApp('/audit', administrator());
    const part = within(await screen.findByRole('region', { name: 'Transparency report' }));
    const year = new Date().getUTCFullYear() - 1;
    await person.click(part.getByRole('button', { name: `Publish the report of ${year}` }));
    expect(await part.findByText(`The report of ${year} will be published in a moment.`)).toBeVisible();
    expect(received(makeTransparencyReport)).toHaveLength(1);
  });
});
