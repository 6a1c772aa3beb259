import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { listRules } from '#contract/moderation/decisions.ts';
import { type StaffReport, getReportConversation, replyToReport } from '#contract/moderation/staff-reports.ts';
import { listReplyTemplates } from '#contract/moderation/templates.ts';
import { queryClient } from '../../api/query-client.ts';
import { RawAnswer, received, Refusal, serve } from '../../../test/fake-server.ts';
import { replyTemplate, reportReply, serveReports, staffReport } from '../../../test/fixtures/staff/staff-reports.ts';
import { cellsOf, idEndingIn, openReports } from '../../../test/fixtures/staff/reports-page.tsx';

const failed = 'Failed to send reply. Please try again.';
const id = idEndingIn('a1b2c3');
const known: StaffReport = staffReport({
  _id: id,
  replyCount: 1,
  replies: [reportReply(), reportReply({ _id: 'reply-2', message: 'Known for this, watch out', isInternal: true })],
});

const rule = {
  _id: 'rule-2',
  clause: '2',
  version: 1,
  title: 'Respect',
  text: 'No harassment.',
  createdAt: '2025-01-01T00:00:00.000Z',
  createdBy: 'Heartwood',
};

const dialog = () => screen.getByRole('dialog', { name: 'Reply to report #a1b2c3' });
const reply = () => within(dialog()).getByRole('textbox', { name: /^Reply/ });
const notes = () => within(dialog()).getByRole('textbox', { name: 'Internal notes' });
const send = () => within(dialog()).getByRole('button', { name: 'Send' });
const sent = () => received(replyToReport).map(({ params, body }) => [params.id, body]);
const gone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

async function openReply() {
  const app = await openReports();
  await app.person.click(screen.getByRole('button', { name: 'Reply to report #a1b2c3' }));
  return app;
}

beforeEach(() => {
  serveReports(() => [known]);
  serve(replyToReport, ({ body }) => ({
    data: { report: { ...known, replyCount: body.isInternal ? 2 : known.replyCount + 1 } },
  }));
});

describe('the reply dialog', () => {
  it.each([
    ['a colleague is handling the case', { _id: 'case', handledBy: 'Olga', needsDecision: null }, true],
    ['no one is handling the case', { _id: 'case', handledBy: null, needsDecision: 'Decide with reasons.' }, false],
    ['there is no case', undefined, false],
  ])('names the colleague before the reply is sent if %s', async (_, its, isNamed) => {
    serveReports(() => [{ ...known, ...(its && { case: its }) }]);
    await openReply();
    expect(within(dialog()).queryAllByText('Olga is handling this case right now.')).toHaveLength(isNamed ? 1 : 0);
  });

  it('names a colleague who takes the case while the reply is written', async () => {
    let its: StaffReport['case'] = { _id: 'case', handledBy: null, needsDecision: null };
    serveReports(() => [{ ...known, case: its }]);
    await openReply();
    its = { ...its, handledBy: 'Olga' };
    await act(() => queryClient.refetchQueries());
    expect(await within(dialog()).findByText('Olga is handling this case right now.')).toBeVisible();
  });

  it('shows the user, the issue, the description and the public conversation', async () => {
    await openReply();
    expect(dialog()).toHaveTextContent('UserAda Byron · ada@heartwood.test');
    expect(dialog()).toHaveTextContent('IssueHarassment');
    expect(within(dialog()).getByText(known.description)).toBeVisible();
    expect(within(dialog()).getByText('Thank you, we are looking into it.')).toBeVisible();
    expect(within(dialog()).queryByText(/Known for this/)).toBeNull();
    expect(reply()).toHaveFocus();
    expect(reply()).toBeRequired();
    expect(reply()).toHaveAttribute('rows', '4');
    expect(notes()).toHaveAttribute('rows', '2');
  });

  it("fills in a template with the reporter's name, and sends nothing while a gap is left", async () => {
    serve(listRules, () => ({ data: { rules: [rule] } }));
    const { person } = await openReply();
    await person.click(await within(dialog()).findByRole('radio', { name: 'Explain a rule' }));
    expect(reply()).toHaveTextContent(/^Hi Ada, thank you for writing to us on Oct 18, 2025/);
    expect(within(dialog()).getByText('Replace {rule} before you send this.')).toBeVisible();
    expect(send()).toBeDisabled();
    await person.selectOptions(await within(dialog()).findByRole('combobox', { name: 'Rule' }), 'rule-2');
    await person.click(within(dialog()).getByText('Preview as the reporter sees it'));
    expect(within(dialog()).getAllByText('Support team').at(-1)).toBeVisible();
    await person.click(send());
    await gone();
    expect(received(replyToReport)[0]?.body.message).toContain('our rule "2. Respect"');
  });

  it("offers templates in the reporter's language first, and fills them in with words of that language", async () => {
    const german = { language: 'de' as const, text: 'Hallo {firstName}, am {date} ({type}): „{rule}“' };
    const templates = [
      replyTemplate(),
      replyTemplate({ _id: 'german', ...german }),
      replyTemplate({ _id: 'safety', name: 'Stay safe' }),
    ];
    serveReports(() => [{ ...known, user: { ...known.user, language: 'de' } }]);
    serve(listReplyTemplates, () => ({ data: { templates } }));
    serve(listRules, () => ({ data: { rules: [rule] } }));
    const { person } = await openReply();
    expect(await within(dialog()).findByText('Ada Byron reads German.')).toBeVisible();
    const choice = within(await within(dialog()).findByRole('group', { name: 'Template' }));
    expect(choice.getAllByRole('radio').map((one) => one.closest('label')?.textContent)).toEqual([
      'Explain a rule',
      'Stay safe (English)',
    ]);
    await person.click(choice.getByRole('radio', { name: 'Explain a rule' }));
    await person.selectOptions(await within(dialog()).findByRole('combobox', { name: 'Rule' }), 'rule-2');
    expect(reply()).toHaveValue('Hallo Ada, am 18.10.2025 (Belästigung): „2. Respekt“');
  });

  it('leaves no gap for a name that is not known', async () => {
    serveReports(() => [{ ...known, user: { ...known.user, _id: null } }]);
    const { person } = await openReply();
    await person.click(await within(dialog()).findByRole('radio', { name: 'Stay safe' }));
    expect(reply()).toHaveTextContent(/^Hi, thank you/);
  });

  it('inserts a name unchanged, even one that looks like a placeholder', async () => {
    serveReports(() => [{ ...known, user: { ...known.user, name: "$'{type} Lee" } }]);
    const { person } = await openReply();
    await person.click(await within(dialog()).findByRole('radio', { name: 'Stay safe' }));
    expect(reply()).toHaveTextContent(/^Hi \$'\{type\}, thank you for telling us\. You can block/);
  });

  it('loads the full replies when the list has only excerpts', async () => {
    const first = reportReply({ _id: 'reply-0', message: 'The first answer of all' });
    const long = reportReply({ message: 'x'.repeat(700) });
    const brief = { ...known, replyCount: 2, replies: [{ ...long, message: `${'x'.repeat(499)}…` }] };
    serveReports(() => [brief]);
    const asReply = reportReply({ _id: id, message: known.description });
    const note = reportReply({ _id: 'note', message: 'Known for this, watch out', isInternal: true });
    serve(getReportConversation, () => ({ data: { conversation: [asReply, first, note, long] } }));
    await openReply();
    const earlier = within(dialog()).getByRole('region', { name: 'Earlier replies' });
    expect(await within(earlier).findByText('The first answer of all')).toBeVisible();
    expect(within(earlier).getByText('x'.repeat(700))).toBeVisible();
    expect(within(earlier).getAllByRole('listitem')).toHaveLength(2);
    expect(within(dialog()).queryByText(/Known for this/)).toBeNull();
  });

  it('scrolls to the newest reply of a long conversation', async () => {
    // The region only has a height once its dialog is shown.
    vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockImplementation(function (this: Element) {
      return this.closest('dialog')?.open === true ? 900 : 0;
    });
    await openReply();
    const earlier = within(dialog()).getByRole('region', { name: 'Earlier replies' });
    await waitFor(() => expect(earlier.scrollTop).toBe(900));
  });

  it('rejects a blank reply by disabling Send and showing an alert on Ctrl+Enter', async () => {
    const { person } = await openReply();
    expect(send()).toBeDisabled();
    await person.type(reply(), '   ');
    expect(send()).toBeDisabled();
    await person.keyboard('{Control>}{Enter}{/Control}');
    expect(within(dialog()).getByRole('alert')).toHaveTextContent('Please enter a reply message');
    await person.type(reply(), 'H');
    expect(within(dialog()).queryByRole('alert')).toBeNull();
    await person.clear(reply());
    await person.type(notes(), 'Only for us{Meta>}{Enter}{/Meta}');
    expect(within(dialog()).getByRole('alert')).toHaveTextContent('Please enter a reply message');
    expect(sent()).toEqual([]);
  });

  it('sends only the reply, once, when there are no notes, and clears the form', async () => {
    const { person } = await openReply();
    await person.type(reply(), ' We are on it. ');
    await person.type(notes(), '  ');
    await person.dblClick(send());
    await gone();
    expect(sent()).toEqual([[id, { message: 'We are on it.', isInternal: false }]]);
    expect(screen.getByText('Reply to report #a1b2c3 sent.')).toHaveAttribute('role', 'status');
    await person.click(screen.getByRole('button', { name: 'Reply to report #a1b2c3' }));
    expect(reply()).toHaveValue('');
    expect(notes()).toHaveValue('');
  });

  it('sends the reply first, then the notes as internal', async () => {
    const { person } = await openReply();
    await person.type(notes(), 'Second one this week');
    await person.type(reply(), 'We are on it.{Control>}{Enter}{/Control}');
    await gone();
    expect(sent()).toEqual([
      [id, { message: 'We are on it.', isInternal: false }],
      [id, { message: 'Second one this week', isInternal: true }],
    ]);
  });

  it('keeps all text when the reply fails and sends it on retry', async () => {
    serve(replyToReport, () => {
      throw new Refusal('TOO_MANY_REQUESTS', 'Too many replies');
    });
    const { person } = await openReply();
    await person.type(reply(), 'We are on it.');
    await person.type(notes(), 'Second one');
    await person.click(send());
    expect((await within(dialog()).findByRole('alert')).textContent).toBe(failed);
    expect(within(dialog()).getByText('Too many replies')).toBeVisible();
    expect(reply()).toHaveValue('We are on it.');
    expect(notes()).toHaveValue('Second one');
    expect(sent()).toHaveLength(1);
    serve(replyToReport, () => ({ data: { report: known } }));
    await person.click(await within(dialog()).findByRole('button', { name: 'Send' }));
    await gone();
    expect(sent()).toHaveLength(3);
  });

  it('keeps the notes when only they fail, and never repeats the reply', async () => {
    serve(replyToReport, ({ body }) => {
      if (body.isInternal) throw new RawAnswer(500, '');
      return { data: { report: { ...known, replyCount: 2 } } };
    });
    const { person } = await openReply();
    await person.type(reply(), 'We are on it.');
    await person.type(notes(), 'Second one');
    await person.click(send());
    expect(
      await within(dialog()).findByText('Your reply was sent, but the internal notes were not. Please try again.'),
    ).toBeVisible();
    expect(within(dialog()).queryByRole('textbox', { name: /^Reply/ })).toBeNull();
    expect(notes()).toHaveValue('Second one');
    serve(replyToReport, () => ({ data: { report: known } }));
    await person.click(await within(dialog()).findByRole('button', { name: 'Send notes' }));
    await gone();
    const messages = received(replyToReport).map(({ body }) => body.message);
    expect(messages.filter((message) => message === 'We are on it.')).toHaveLength(1);
    expect(messages.at(-1)).toBe('Second one');
  });

  it('shows an error when a text is longer than 5,000 characters', async () => {
    await openReply();
    fireEvent.change(reply(), { target: { value: 'x'.repeat(5001) } });
    expect(reply()).toHaveAccessibleDescription(/Use at most 5,000 characters: this has 5,001\./);
    expect(send()).toBeDisabled();
    fireEvent.change(reply(), { target: { value: `${'x'.repeat(5000)}   ` } });
    expect(send()).toBeEnabled();
    fireEvent.change(notes(), { target: { value: 'y'.repeat(5001) } });
    expect(notes()).toBeInvalid();
    expect(send()).toBeDisabled();
  });

  it('clears the text when it is closed', async () => {
    const { person } = await openReply();
    await person.type(reply(), 'Never mind');
    await person.keyboard('{Escape}');
    await gone();
    const opener = screen.getByRole('button', { name: 'Reply to report #a1b2c3' });
    await waitFor(() => expect(opener).toHaveFocus());
    await person.click(opener);
    expect(reply()).toHaveValue('');
  });

  it('keeps the draft across a reload, without what was already sent', async () => {
    serve(replyToReport, ({ body }) => {
      if (body.isInternal) throw new RawAnswer(500, '');
      return { data: { report: known } };
    });
    const { person, unmount } = await openReply();
    await person.type(reply(), 'Half a thou');
    unmount();
    const again = await openReply();
    expect(reply()).toHaveValue('Half a thou');
    expect(screen.getByText('What you typed before is still here. It is not sent yet.')).toBeVisible();
    await again.person.type(notes(), 'A note');
    await again.person.click(send());
    await within(dialog()).findByRole('alert');
    again.unmount();
    await openReply();
    expect(within(dialog()).queryByRole('textbox', { name: /^Reply/ })).toBeNull();
    expect(notes()).toHaveValue('A note');
  });

  it('shows the new count of replies in the list', async () => {
    const { person } = await openReply();
    serveReports(() => [{ ...known, replyCount: 2 }]);
    await person.type(reply(), 'We are on it.{Control>}{Enter}{/Control}');
    await waitFor(() => expect(cellsOf('a1b2c3')[7]).toBe('2'));
  });
});
