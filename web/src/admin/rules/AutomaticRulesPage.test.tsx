import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  addAutomaticRule,
  type AutomaticRule,
  changeAutomaticRule,
  type DryRun,
  listAutomaticRules,
  retireAutomaticRule,
  startDryRun,
  switchAutomaticRule,
} from '#contract/moderation/automatic-rules.ts';
import { listRules } from '#contract/moderation/decisions.ts';
import { listReplyTemplates } from '#contract/moderation/templates.ts';
import { listTags } from '#contract/moderation/tags.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { fileTag } from '../../../test/fixtures/staff/user-files.ts';
import { renderApp } from '../../../test/render-app.tsx';

const tagId = '11111111-1111-4111-8111-111111111111';

const dryRun = (changes: Partial<DryRun> = {}): DryRun => ({
  isDone: true,
  examined: 5000,
  total: 5000,
  hits: 40,
  startedAt: '2026-01-01T00:00:00.000Z',
  finishedAt: '2026-01-01T00:01:00.000Z',
  examples: [{ _id: 'person-1', name: 'Bo Ek' }],
  groups: [
    { by: 'gender', group: 'man', people: 2000, hits: 35, isUneven: true },
    { by: 'country', group: '', people: 3000, hits: 5, isUneven: false },
  ],
  needsReason: false,
  ...changes,
});

const rule = (changes: Partial<AutomaticRule> = {}): AutomaticRule => ({
  _id: 'rule-1',
  name: 'Copied text',
  version: 3,
  conditions: [{ fact: 'sameTextSenders', value: 3 }],
  actions: { tagId: null, tagName: null, problem_type: 'Inappropriate Content', priority: 'critical', hold: true },
  expiresOn: '2098-05-01',
  isOn: false,
  isWatching: false,
  isExpired: false,
  changedAt: '2026-01-01T00:00:00.000Z',
  changedBy: 'Ada Min',
  switched: null,
  dryRun: null,
  hits: { open: 2, confirmed: 30, cleared: 1, expired: 0 },
  sightings: 0,
  ...changes,
});

const serveRules = (changes: Partial<AutomaticRule> = {}) =>
  serve(listAutomaticRules, () => ({ data: { rules: [rule(changes)] } }));

beforeEach(() => {
  serveRules();
  serve(listTags, () => ({ data: { tags: [fileTag({ _id: tagId })] } }));
  serve(listRules, () => ({ data: { rules: [] } }));
  serve(listReplyTemplates, () => ({ data: { templates: [] } }));
});

const panel = async () => within(await screen.findByRole('region', { name: 'Copied text' }));

describe('the automatic rules', () => {
  it('are shown as a sentence, and can’t be switched on before a dry run', async () => {
    renderApp('/rules/automatic', administrator());
    const shown = await panel();
    expect(
      shown.getByText(
        'If at least 3 accounts, theirs included, sent the same text: open a case under “Inappropriate Content” with the priority “critical” and hold their likes, notes and first messages for up to 72 hours.',
      ),
    ).toBeVisible();
    expect(shown.getByText('2 waiting, 30 confirmed, 1 cleared, 0 undone')).toBeVisible();
    expect(shown.getByRole('button', { name: 'Switch on: Copied text' })).toBeDisabled();
  });

  it('are a tab beside the community rules for those who may edit them', async () => {
    const { person } = renderApp('/rules', administrator());
    await person.click(await screen.findByRole('link', { name: 'Automatic rules' }));
    expect(await screen.findByRole('heading', { name: 'Automatic rules' })).toBeVisible();
  });

  it('are hidden from moderators', async () => {
    renderApp('/rules', moderator());
    expect(await screen.findByRole('heading', { name: 'Community rules' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Automatic rules' })).toBeNull();
  });

  it('show what a dry run found by group', async () => {
    serveRules({ dryRun: dryRun() });
    const { person } = renderApp('/rules/automatic', administrator());
    const shown = await panel();
    expect(shown.getByText('In the last 30 days it would have hit 40 of 5,000 people.')).toBeVisible();
    expect(shown.getByRole('link', { name: 'Bo Ek' })).toHaveAttribute('href', '/users/person-1');
    await person.click(shown.getByRole('button', { name: 'By gender, age and country' }));
    const table = within(shown.getByRole('table', { name: 'Dry run of Copied text by group' }));
    expect(table.getByText('Man')).toBeVisible();
    expect(table.getByText('18')).toBeVisible();
    expect(table.getByText('Hit much more often')).toBeVisible();
    expect(table.getByText('Not specified')).toBeVisible();
  });

  it('start a dry run, and show its progress', async () => {
    serve(startDryRun, () => ({ data: { rule: rule({ dryRun: dryRun({ isDone: false }) }) } }));
    const { person } = renderApp('/rules/automatic', administrator());
    const shown = await panel();
    serveRules({ dryRun: dryRun({ isDone: false, examined: 1000 }) });
    await person.click(shown.getByRole('button', { name: 'Dry run: Copied text' }));
    expect(await shown.findByText('Dry run: 1,000 of 5,000 people examined')).toBeVisible();
  });

  it('ask for a reason before a rule that affects a group unevenly is switched on', async () => {
    serveRules({ dryRun: dryRun({ needsReason: true }) });
    serve(switchAutomaticRule, () => ({ data: { rule: rule({ isOn: true }) } }));
    const { person } = renderApp('/rules/automatic', administrator());
    await person.click((await panel()).getByRole('button', { name: 'Switch on: Copied text' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Switch on “Copied text”?' }));
    await person.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'Too short');
    await person.click(dialog.getByRole('button', { name: /^Switch on/ }));
    expect(dialog.getByText('Write 20 characters or more')).toBeVisible();
    await person.type(dialog.getByRole('textbox', { name: /^Reason/ }), ' because of a wave of fakes');
    await person.click(dialog.getByRole('button', { name: /^Switch on/ }));
    await waitFor(() =>
      expect(received(switchAutomaticRule).map(({ body }) => body)).toEqual([
        { isOn: true, reason: 'Too short because of a wave of fakes' },
      ]),
    );
  });

  it('can be switched off and removed', async () => {
    serveRules({
      isOn: true,
      dryRun: dryRun(),
      switched: { at: '2026-01-02T00:00:00.000Z', by: 'Ada Min', reason: null },
    });
    serve(switchAutomaticRule, () => ({ data: { rule: rule() } }));
    serve(retireAutomaticRule, () => ({}));
    const { person } = renderApp('/rules/automatic', administrator());
    const shown = await panel();
    await person.click(shown.getByRole('button', { name: 'Switch off: Copied text' }));
    await waitFor(() => expect(received(switchAutomaticRule).map(({ body }) => body)).toEqual([{ isOn: false }]));
    await person.click(shown.getByRole('button', { name: 'Remove: Copied text' }));
    await person.click(screen.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(received(retireAutomaticRule).map(({ params }) => params.id)).toEqual(['rule-1']));
  });
});

describe('the form of an automatic rule', () => {
  it('adds a rule with several conditions, and shows it as a sentence', async () => {
    serve(addAutomaticRule, () => ({ data: { rule: rule() } }));
    const { person } = renderApp('/rules/automatic', administrator());
    await person.click(await screen.findByRole('button', { name: 'Add automatic rule' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add automatic rule' }));
    await person.type(dialog.getByRole('textbox', { name: /^Name/ }), 'New and fast');
    await person.click(dialog.getByRole('button', { name: 'Save' }));
    expect(dialog.getByText('Add a condition')).toBeVisible();
    await person.type(dialog.getByRole('textbox', { name: 'Hours since joining: less than' }), '72');
    await person.type(dialog.getByRole('textbox', { name: 'Likes within an hour: at least' }), 'many');
    await person.click(dialog.getByRole('button', { name: 'Save' }));
    expect(received(addAutomaticRule)).toEqual([]);
    await person.clear(dialog.getByRole('textbox', { name: 'Likes within an hour: at least' }));
    await person.type(dialog.getByRole('textbox', { name: 'Likes within an hour: at least' }), '200');
    await person.selectOptions(dialog.getByRole('combobox', { name: 'Tag' }), 'Call back');
    expect(
      dialog.getByText(
        'If they joined less than 72 hours ago and they sent at least 200 likes within an hour: open a case under “Inappropriate Content” with the priority “high” and tag the person “Call back”.',
      ),
    ).toBeVisible();
    await person.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(received(addAutomaticRule)).toMatchObject([
      {
        body: {
          name: 'New and fast',
          conditions: [
            { fact: 'accountAgeHours', value: 72 },
            { fact: 'likesPerHour', value: 200 },
          ],
          actions: { tagId, hold: false, priority: 'high' },
        },
      },
    ]);
  });

  it('changes a rule from the version that was loaded, and shows when a colleague was faster', async () => {
    serveRules({ actions: { ...rule().actions, tagId, tagName: 'Call back' } });
    failWith(changeAutomaticRule, new Refusal('CONFLICT', 'A colleague has just changed this rule'));
    const { person } = renderApp('/rules/automatic', administrator());
    await person.click((await panel()).getByRole('button', { name: 'Change: Copied text' }));
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Tag' })).toHaveDisplayValue('Call back'));
    await person.click(screen.getByRole('button', { name: 'Save as a new version' }));
    expect(await screen.findByText('A colleague has just changed this rule')).toBeVisible();
    expect(received(changeAutomaticRule)).toMatchObject([
      { params: { id: 'rule-1' }, body: { version: 3, actions: { tagId } } },
    ]);
  });
});
