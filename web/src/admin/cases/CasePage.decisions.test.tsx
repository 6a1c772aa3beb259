import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { type Decision, type Rule, type Sanction, listRules } from '#contract/moderation/decisions.ts';
import type { Evidence } from '#contract/moderation/report-file.ts';
import { noDetails } from '#contract/profiles/profile-details.ts';
import { type StaffCase, getCase, decideCase, revokeSanction } from '#contract/moderation/cases.ts';
import { listReplyTemplates } from '#contract/moderation/templates.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { picture } from '../../../test/fixtures/pictures.ts';
import { caseFile, staffCase } from '../../../test/fixtures/staff/cases.ts';
import { frozenMessage, replyTemplate, staffReport } from '../../../test/fixtures/staff/staff-reports.ts';
import { renderApp } from '../../../test/render-app.tsx';

const facts = 'Sent nine insulting messages after being asked to stop.';
const rule: Rule = {
  _id: 'rule-2',
  clause: '2',
  version: 1,
  title: 'Respect',
  text: 'No harassment.',
  createdAt: '2025-01-01T00:00:00.000Z',
  createdBy: 'Heartwood',
};
const sanction: Sanction = {
  _id: 'sanction-1',
  kind: 'suspend',
  startsAt: '2025-10-18T10:00:00.000Z',
  endsAt: '2099-10-25T10:00:00.000Z',
  isLive: true,
  reason: facts,
  by: 'Mo Keita',
  acknowledgedAt: null,
  revokedAt: null,
  revokeReason: null,
  strikes: 3,
};
const decision: Decision = {
  _id: 'decision-1',
  kind: 'full',
  outcome: 'actioned',
  rule,
  facts,
  source: 'notice',
  isDetectionAutomated: false,
  answer: 'We have acted on it.',
  by: 'Mo Keita',
  at: '2025-10-18T10:00:00.000Z',
  isUndone: false,
  reportIds: [],
  sanctions: [sanction],
};

const frozenProfile: Evidence = {
  _id: 'evidence-1',
  type: 'profile',
  capturedAt: '2025-10-18T09:00:00.000Z',
  hash: '00',
  isIntact: true,
  profile: {
    firstName: 'Jo',
    gender: null,
    genderText: null,
    age: 30,
    bio: 'Send me money.',
    location: null,
    details: noDetails,
  },
  pictures: [],
  messages: [],
};

const open: StaffCase = staffCase({ can: { steps: ['claim', 'decide', 'escalate'], assignOthers: true } });

async function openCase(changes: Parameters<typeof caseFile>[0] = {}, person = administrator()) {
  serve(getCase, () => ({ data: caseFile({ case: open, ...changes }) }));
  serve(listRules, () => ({ data: { rules: [rule] } }));
  const app = renderApp(`/cases/${open._id}`, person);
  await screen.findByRole('heading', { name: 'Handling' });
  return app;
}

const dialog = () => within(screen.getByRole('dialog'));

/** Opens the dialog by its key; the first time, its code is still being fetched. */
async function openDecision(person: UserEvent): Promise<void> {
  await person.keyboard('d');
  await screen.findByRole('dialog');
}

describe('deciding a case', () => {
  it('removes the content selected in the evidence', async () => {
    const { person } = await openCase({ evidence: [{ reportId: 'report-1', items: [frozenProfile] }] });
    serve(decideCase, () => ({ data: { case: staffCase({ stage: 'decided' }), decision } }));
    await openDecision(person);
    await person.click(await dialog().findByRole('radio', { name: '2. Respect' }));
    await person.click(dialog().getByRole('textbox', { name: /^Facts/ }));
    await person.paste(facts);
    await person.click(dialog().getByRole('checkbox', { name: 'Content removed' }));
    await person.click(dialog().getByRole('button', { name: 'Decide' }));
    expect(dialog().getByText('Choose what to remove')).toBeVisible();
    expect(received(decideCase)).toHaveLength(0);
    await person.click(dialog().getByRole('checkbox', { name: 'Profile text', description: 'Send me money.' }));
    await person.click(dialog().getByRole('button', { name: 'Decide' }));
    const content = { evidenceId: frozenProfile._id, type: 'text', key: 'bio' };
    await waitFor(() =>
      expect(received(decideCase)[0]?.body).toMatchObject({ sanctions: [{ kind: 'remove_content', content }] }),
    );
  });

  it('numbers the removable pictures and blurs them like the evidence', async () => {
    const messages = [frozenMessage(1, { isReported: true })];
    const pictures = [picture('one'), picture('two')];
    const { person } = await openCase({
      evidence: [{ reportId: 'report-1', items: [{ ...frozenProfile, messages, pictures }] }],
    });
    await openDecision(person);
    await person.click(dialog().getByRole('checkbox', { name: 'Content removed' }));
    const list = within(dialog().getByRole('list', { name: 'What is removed' }));
    expect(list.getAllByRole('checkbox').map((box) => (box as HTMLInputElement).labels?.[0]?.textContent)).toEqual([
      'Message',
      'Picture 1',
      'Picture 2',
      'Profile text',
    ]);
    const covered = list.getAllByRole('listitem').map((item) => item.hasAttribute('data-veiled'));
    expect(covered).toEqual([true, true, true, false]);
  });

  it.each([
    ['in their language', 'en', 'Preview as the reporter sees it'],
    ['in another language', 'pl', 'Reporters read this standard answer in their own language.'],
  ] as const)('shows what reporters read %s', async (_, language, text) => {
    const { user } = staffReport();
    const { person } = await openCase({ reports: [staffReport({ user: { ...user, language } })] });
    await openDecision(person);
    expect(dialog().getByText(text)).toBeVisible();
  });

  it('sends no answer for a case that a colleague opened', async () => {
    const user = { _id: null, name: 'Mo Keita', email: null, isActive: false };
    const openedBy = { _id: 'mo', name: 'Mo Keita' };
    const reports = [staffReport({ source: 'own_initiative', user, openedBy })];
    const { person } = await openCase({ reports, parties: [] });
    expect(screen.getByText(/^Opened by Mo Keita on their own initiative/)).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Reply/ })).toBeNull();
    serve(decideCase, () => ({ data: { case: staffCase({ stage: 'decided' }), decision } }));
    await openDecision(person);
    expect(dialog().queryByRole('textbox', { name: /^Answer to the reporters/ })).toBeNull();
    await person.selectOptions(dialog().getByRole('combobox', { name: 'What did you find?' }), 'no_violation');
    await person.click(dialog().getByRole('button', { name: 'Decide' }));
    await waitFor(() => expect(received(decideCase)[0]?.body).toMatchObject({ source: 'own_initiative' }));
  });

  it('withholds a picture from its owner on request, and always if it may show a minor', async () => {
    const items = [{ ...frozenProfile, pictures: [picture('one'), picture('two')] }];
    const reports = [staffReport({ mayBeMinor: false })];
    const { person } = await openCase({ reports, evidence: [{ reportId: 'report-1', items }] });
    serve(decideCase, () => ({ data: { case: staffCase({ stage: 'decided' }), decision } }));
    await openDecision(person);
    await person.click(await dialog().findByRole('radio', { name: '2. Respect' }));
    await person.click(dialog().getByRole('textbox', { name: /^Facts/ }));
    await person.paste(facts);
    await person.click(dialog().getByRole('checkbox', { name: 'Content removed' }));
    for (const name of ['Picture 1', 'Picture 2', 'Withhold Picture 2 from its owner, too'])
      await person.click(dialog().getByRole('checkbox', { name }));
    await person.click(dialog().getByRole('button', { name: 'Discovered through: A report' }));
    await person.selectOptions(dialog().getByRole('combobox', { name: 'How was it discovered?' }), 'authority');
    const other = dialog().getByRole('checkbox', { name: 'Withhold Picture 1 from its owner, too' });
    expect(other).toBeChecked();
    expect(other).toBeDisabled();
    await person.selectOptions(dialog().getByRole('combobox', { name: 'How was it discovered?' }), 'notice');
    expect(other).not.toBeChecked();
    await person.click(dialog().getByRole('button', { name: 'Decide' }));
    await waitFor(() => expect(received(decideCase)).toHaveLength(1));
    expect(received(decideCase)[0]?.body.sanctions?.map(({ content }) => [content?.key, content?.isWithheld])).toEqual([
      [picture('one').publicId, undefined],
      [picture('two').publicId, true],
    ]);
  });

  it('numbers a picture of several reports once and offers the note of a like', async () => {
    const note = { text: 'Smile for me', likedAt: '2025-01-01T10:00:00.000Z', on: null };
    const copies = [
      { ...frozenProfile, pictures: [picture('one'), picture('two')] },
      { ...frozenProfile, _id: 'copy-2', pictures: [picture('two'), picture('three')] },
      { ...frozenProfile, _id: 'copy-3', type: 'note' as const, profile: null, note },
    ];
    const evidence = copies.map((one, index) => ({ reportId: `report-${index}`, items: [one] }));
    const { person } = await openCase({ evidence });
    await openDecision(person);
    await person.click(dialog().getByRole('checkbox', { name: 'Content removed' }));
    const names = dialog()
      .getAllByRole('checkbox', { name: /^(Picture|Note)/ })
      .map((box) => (box as HTMLInputElement).labels?.[0]?.textContent);
    expect(names).toEqual(['Picture 1', 'Picture 2', 'Picture 3', 'Note of a like']);
    expect(dialog().getByRole('checkbox', { name: 'Note of a like', description: 'Smile for me' })).toBeVisible();
  });

  it('fills in facts and answer from templates with the chosen rule', async () => {
    const text = 'Messages that you sent broke our rule "{rule}" more than once, {firstName}.';
    const templates = [
      replyTemplate({ _id: 'f', kind: 'facts', name: 'Insults', text }),
      replyTemplate({ _id: 'a', kind: 'answer', name: 'We acted', text: 'Hi {firstName}, we acted.' }),
    ];
    serve(listReplyTemplates, () => ({ data: { templates } }));
    serve(decideCase, () => ({ data: { case: staffCase({ stage: 'decided' }), decision } }));
    const { person } = await openCase();
    await openDecision(person);
    await dialog().findByRole('radio', { name: '2. Respect' });
    await person.click(await dialog().findByRole('radio', { name: 'Insults' }));
    await person.click(dialog().getByRole('radio', { name: 'We acted' }));
    await person.click(dialog().getByRole('checkbox', { name: 'Warning' }));
    await person.click(dialog().getByRole('button', { name: 'Decide' }));
    expect(dialog().getByText('Fill in “rule” before you send this.')).toBeVisible();
    await person.click(dialog().getByRole('radio', { name: '2. Respect' }));
    await person.click(dialog().getByText('Preview as the person sees it'));
    await person.click(dialog().getByRole('button', { name: 'Decide' }));
    await waitFor(() => expect(received(decideCase)).toHaveLength(1));
    const [reader = ''] = open.person.name.split(' ');
    const [reporter = ''] = staffReport().user.name.split(' ');
    expect(received(decideCase)[0]?.body).toMatchObject({
      facts: `Messages that you sent broke our rule "2. Respect" more than once, ${reader}.`,
      answer: `Hi ${reporter}, we acted.`,
    });
  });

  it('shows the introduction for reporters whose report was decided before', async () => {
    const earlier = { ...decision, outcome: 'no_violation' as const, reportIds: [staffReport()._id] };
    await openCase({ reports: [staffReport()], decisions: [earlier] }).then(({ person }) => openDecision(person));
    expect(dialog().getByText(/came to a different result than before\.$/)).toBeVisible();
  });

  it('offers moderators only measures that need no senior colleague', async () => {
    const recommendation = { kind: 'suspend', days: 30, strikes: 3 } as const;
    const { person } = await openCase({ recommendation }, moderator());
    await openDecision(person);
    expect(dialog().getByText('Escalate the case: this needs a senior moderator.')).toBeVisible();
    expect(dialog().queryByRole('button', { name: 'Use this' })).toBeNull();
    expect(dialog().queryByRole('checkbox', { name: 'Ban' })).toBeNull();
    await person.click(dialog().getByRole('checkbox', { name: 'Suspension' }));
    await person.clear(dialog().getByRole('textbox', { name: 'For how many days' }));
    await person.type(dialog().getByRole('textbox', { name: 'For how many days' }), '٨');
    await person.click(dialog().getByRole('button', { name: 'Decide' }));
    expect(dialog().getByText('Choose a week at most, or escalate the case')).toBeVisible();
    expect(received(decideCase)).toHaveLength(0);
  });

  it('requires a measure, and days only once one is chosen', async () => {
    const { person } = await openCase();
    failWith(
      decideCase,
      new Refusal('INVALID_INPUT', 'No', { errors: [{ field: 'sanctions', msg: 'Choose what to do' }] }),
    );
    await openDecision(person);
    await person.click(dialog().getByRole('button', { name: 'Decide' }));
    await waitFor(() => expect(dialog().getByRole('checkbox', { name: 'Warning' })).toBeInvalid());
    expect(dialog().queryByRole('textbox', { name: 'For how many days' })).toBeNull();
    await person.click(dialog().getByRole('checkbox', { name: 'Suspension' }));
    expect(dialog().queryByText('Choose what to do')).toBeNull();
  });

  it('requires no answer if no one reported', async () => {
    const { person } = await openCase({ reports: [], parties: [], evidence: [] });
    await openDecision(person);
    expect(dialog().queryByRole('textbox', { name: /^Answer/ })).toBeNull();
    expect(dialog().getByRole('combobox', { name: 'How was it discovered?' })).toHaveValue('own_initiative');
  });

  it('lists the same first message to two people as two removable items', async () => {
    const copy = (_id: string, sentAt: string) => {
      const message = frozenMessage(1, { isReported: true, text: 'Hi there', sentAt });
      return { ...frozenProfile, _id, profile: null, messages: [message] };
    };
    const [one, other] = ['2025-01-01T10:00:00.000Z', '2025-01-02T10:00:00.000Z'];
    const items = [copy('copy-1', one), copy('copy-2', other), copy('copy-3', other)];
    const { person } = await openCase({ evidence: [{ reportId: 'report-1', items }] });
    await openDecision(person);
    await person.click(dialog().getByRole('checkbox', { name: 'Content removed' }));
    expect(dialog().getAllByRole('checkbox', { name: 'Message', description: 'Hi there' })).toHaveLength(2);
  });

  it('sends the findings, the rule and the measures, and leaves the standard answer to the service', async () => {
    const { person } = await openCase();
    serve(decideCase, () => ({ data: { case: staffCase({ stage: 'decided' }), decision } }));
    await openDecision(person);
    expect(await screen.findByRole('dialog', { name: 'Decide the case' })).toBeVisible();
    expect(dialog().getByText(/Suggested: Warning, since there is no strike/)).toBeVisible();
    await person.click(await dialog().findByRole('radio', { name: '2. Respect' }));
    await person.click(dialog().getByRole('textbox', { name: /^Facts/ }));
    await person.paste(facts);
    await person.click(dialog().getByRole('checkbox', { name: 'Suspension' }));
    await person.click(dialog().getByRole('button', { name: 'Decide' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(received(decideCase).map(({ body }) => body)).toMatchObject([
      { outcome: 'actioned', ruleId: 'rule-2', facts, source: 'notice', sanctions: [{ kind: 'suspend', days: 7 }] },
    ]);
    expect(received(decideCase)[0]?.body).not.toHaveProperty('answer');
  });

  it('shows the server’s refusal at its field', async () => {
    const { person } = await openCase();
    failWith(
      decideCase,
      new Refusal('INVALID_INPUT', 'No', {
        errors: [{ field: 'facts', msg: 'This names someone who reported. Leave it out.' }],
      }),
    );
    await person.click(screen.getByRole('button', { name: 'Decide' }));
    await person.click(dialog().getByRole('button', { name: 'Decide' }));
    expect(await dialog().findByText('This names someone who reported. Leave it out.')).toBeVisible();
    expect(dialog().getByRole('textbox', { name: /^Facts/ })).toHaveFocus();
  });

  it('shows a refusal without a field above the buttons, which stay in view', async () => {
    const { person } = await openCase();
    failWith(decideCase, new Refusal('ILLEGAL_STEP', 'This is not possible while the case is decided'));
    await person.click(screen.getByRole('button', { name: 'Decide' }));
    await person.selectOptions(dialog().getByRole('combobox', { name: 'What did you find?' }), 'no_violation');
    await person.type(dialog().getByRole('textbox', { name: /^Facts/ }), 'A joke.');
    await person.click(dialog().getByRole('button', { name: 'Decide' }));
    const refusal = await dialog().findByRole('alert');
    expect(refusal).toHaveTextContent('This is not possible while the case is decided');
    expect(dialog().getByRole('button', { name: 'Decide' }).parentElement).toContainElement(refusal);
    expect(dialog().getByRole('textbox', { name: /^Facts/ })).toHaveValue('A joke.');
  });

  it('requires fewer fields when no violation was found', async () => {
    const { person } = await openCase();
    await person.click(screen.getByRole('button', { name: 'Decide' }));
    await person.selectOptions(dialog().getByRole('combobox', { name: 'What did you find?' }), 'no_violation');
    expect(dialog().queryByRole('combobox', { name: /^Rule/ })).toBeNull();
    expect(dialog().queryByRole('checkbox', { name: 'Ban' })).toBeNull();
    expect(dialog().getByRole('textbox', { name: /^Answer/ })).toHaveValue(
      'Thank you for your report. We looked at it carefully and found that our rules were not broken. You can block anyone you would rather not see.',
    );
  });
});

describe('earlier decisions', () => {
  it('are listed with rule, facts and measures', async () => {
    await openCase({
      decisions: [decision, { ...decision, _id: 'q', kind: 'quick', outcome: null, facts: null, rule: null }],
    });
    const panel = within(screen.getByRole('region', { name: 'Decisions' }));
    expect(panel.getByText('Rules were broken')).toBeVisible();
    expect(panel.getByText('2. Respect (version 1)')).toBeVisible();
    expect(panel.getByText('Closed with one click')).toBeVisible();
  });

  it('have sanctions that administrators can revoke with a reason', async () => {
    const { person } = await openCase({ sanctions: [sanction] });
    serve(revokeSanction, () => ({ data: { sanction: { ...sanction, isLive: false } } }));
    const panel = within(screen.getByRole('region', { name: 'Sanctions' }));
    expect(panel.getByText('In force')).toBeVisible();
    await person.click(panel.getByRole('button', { name: 'Revoke' }));
    await person.type(dialog().getByRole('textbox', { name: 'Reason' }), 'A mistake');
    await person.click(dialog().getByRole('button', { name: 'Revoke' }));
    await waitFor(() => expect(received(revokeSanction)).toHaveLength(1));
    expect(received(revokeSanction)[0]).toMatchObject({ params: { id: 'sanction-1' }, body: { reason: 'A mistake' } });
  });

  it('show sanctions with the reason but no button to people who may not revoke them', async () => {
    await openCase({ canRevoke: false, sanctions: [sanction] }, administrator());
    const panel = within(screen.getByRole('region', { name: 'Sanctions' }));
    expect(panel.queryByRole('button')).toBeNull();
    expect(panel.getByText(/^Only senior moderators and administrators can revoke these/)).toBeVisible();
  });
});
