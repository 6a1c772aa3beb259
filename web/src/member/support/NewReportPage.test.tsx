import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { reportTextMaxLength } from '#contract/constants.ts';
import { listMessages } from '#contract/messages/messages.ts';
import { priorityOfType, type ReportPriority, reportTypes, createReport } from '#contract/moderation/reports.ts';
import { CutOff, failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { message } from '../../../test/fixtures/conversations.ts';
import { ownReport, serveReport } from '../../../test/fixtures/own-reports.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { pictureId } from '../../../test/fixtures/pictures.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

const id = ownReport()._id;
const type = () => screen.getByRole('combobox', { name: /^What is it about\?/ });
const reasons = () => within(screen.getByRole('group', { name: 'What is wrong?' }));
const reason = (words: string) => reasons().getByRole('radio', { name: words });
const text = () => screen.getByRole('textbox', { name: /^What happened\?/ });
const send = () => screen.getByRole('button', { name: 'Send report' });
const hide = () => screen.getByRole('checkbox', { name: 'Hide this person and me from each other' });

async function open(at = '/app/support/new') {
  serveReport(ownReport());
  const app = renderApp(at, ownUser());
  await screen.findByRole('button', { name: 'Send report' });
  return app;
}

function serveFiling(priority?: ReportPriority) {
  serve(createReport, ({ body }) => {
    const { problem_type, description } = body;
    const given = { problem_type, description, priority: priority ?? priorityOfType[problem_type] };
    return { data: { report: ownReport({ ...given, reportedUser: null }) } };
  });
}

describe('reporting a problem', () => {
  it('offers the seven types and asks no questions about a person', async () => {
    await open();
    const offered = [...type().querySelectorAll('option')].map(({ value }) => value);
    expect(offered).toEqual(['', ...reportTypes]);
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(document.title).toBe('Report a problem · Heartwood');
  });

  it('sends type and description once and shows a receipt that survives a reload', async () => {
    serveFiling();
    const { person } = await open();
    await person.selectOptions(type(), 'Payment Problem');
    await person.type(text(), '  Charged twice  ');
    await person.dblClick(send());
    const heading = await screen.findByRole('heading', { level: 1, name: 'Thank you, we have your report' });
    expect(heading).toHaveFocus();
    expect(received(createReport).map(({ body }) => body)).toEqual([
      { problem_type: 'Payment Problem', description: 'Charged twice' },
    ]);
    expect(received(createReport)[0]?.headers.get('idempotency-key')).toBeTruthy();
    expect(screen.getByText('#3f9a2c')).toBeVisible();
    expect(screen.getByText('A person on our team will read it and answer within 4 hours.')).toBeVisible();
    expect(screen.queryByText(/see each other/)).toBeNull();
    expect(currentAddress()).toBe(`/app/support/new?sent=${id}`);
    expect(sessionStorage.getItem('draft:report:')).toBeNull();
    await person.click(screen.getByRole('link', { name: 'See your report' }));
    expect(await screen.findByRole('log', { name: 'Conversation' })).toBeVisible();
  });

  it.each([
    ['critical', 'within 1 hour'],
    ['high', 'within 4 hours'],
    ['medium', 'within a day'],
    ['other', 'within 3 days'],
  ] as const)('shows when to expect an answer for priority %s: %s', async (priority, words) => {
    serveFiling(priority);
    const { person } = await open();
    await person.selectOptions(type(), 'Other');
    await person.type(text(), 'Something{Control>}{Enter}{/Control}');
    expect(await screen.findByText(new RegExp(`answer ${words}\\.$`))).toBeVisible();
  });

  it('redirects to the report when the address of a receipt is opened directly', async () => {
    serveReport(ownReport());
    renderApp(`/app/support/new?sent=${id}`, ownUser());
    expect(await screen.findByRole('log', { name: 'Conversation' })).toBeVisible();
    expect(currentAddress()).toBe(`/app/support/${id}`);
  });

  it('sends nothing without a type or with a blank description', async () => {
    serveFiling();
    const { person } = await open();
    await person.type(text(), '   ');
    await person.click(send());
    expect(type()).toHaveAccessibleDescription('Choose one of the types');
    expect(type()).toHaveFocus();
    expect(text()).toHaveAccessibleDescription(/^This is required/);
    expect(received(createReport)).toHaveLength(0);
  });

  it('keeps 5,001 characters and shows that one is too many', async () => {
    serveFiling();
    const { person } = await open();
    expect(text()).toHaveAccessibleDescription('Up to 5,000 characters.');
    await person.selectOptions(type(), 'Other');
    await person.click(text());
    await person.paste('x'.repeat(reportTextMaxLength + 1));
    expect(text()).toHaveAccessibleDescription(/^This is 1 character too long\. The limit is 5,000\./);
    await person.click(send());
    expect(received(createReport)).toHaveLength(0);
    await person.type(text(), '{Backspace}');
    await person.click(send());
    await waitFor(() => expect(received(createReport)).toHaveLength(1));
  });

  it('keeps typed text across a failure and a reload', async () => {
    failWith(createReport, new CutOff());
    const { person, unmount } = await open();
    await person.selectOptions(type(), 'Bug Report');
    await person.type(text(), 'It crashed');
    await person.click(send());
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Network error: Unable to connect to server/);
    unmount();
    await open();
    expect(text()).toHaveValue('It crashed');
    expect(type()).toHaveValue('Bug Report');
    expect(screen.getByText('What you typed before is still here. It is not sent yet.')).toBeVisible();
  });
});

describe('reporting a person', () => {
  it('offers reasons about people only and says that the person is not notified', async () => {
    await open('/app/support/new?user=bo-1');
    expect(
      reasons()
        .getAllByRole('radio')
        .map((radio) => radio.closest('label')?.textContent),
    ).toEqual([
      'Insults, threats or harassment',
      'Inappropriate pictures or messages',
      'Fake profile, or wants money',
      'May be under 18',
      'Something else',
    ]);
    expect(reasons().queryByRole('radio', { checked: true })).toBeNull();
    expect(
      screen.getByText(/Someone on our team will read it\. The person you report is never told who reported them\.$/),
    ).toBeVisible();
  });

  it('requires a reason, and a description only for “something else”', async () => {
    serveFiling();
    const { person } = await open('/app/support/new?user=bo-1');
    await person.click(send());
    expect(screen.getByRole('group', { name: 'What is wrong?' })).toHaveAccessibleDescription(
      'Choose one of the types',
    );
    await person.click(reason('Something else'));
    await person.click(send());
    expect(text()).toHaveAccessibleDescription(/^This is required/);
    expect(received(createReport)).toHaveLength(0);
    await person.click(reason('Fake profile, or wants money'));
    await person.click(send());
    await waitFor(() => expect(received(createReport)).toHaveLength(1));
    expect(received(createReport)[0]?.body).toMatchObject({
      problem_type: 'Inappropriate Content',
      description: 'Fake profile, or wants money',
      mayBeMinor: false,
    });
  });

  it('hides both members from each other unless declined', async () => {
    serveFiling();
    const { person } = await open('/app/support/new?user=bo-1');
    expect(screen.getByRole('heading', { level: 1, name: 'Report someone' })).toBeVisible();
    expect(hide()).toBeChecked();
    await person.click(reason('Insults, threats or harassment'));
    await person.type(text(), 'He threatens me');
    await person.click(send());
    expect(
      await screen.findByText("You and this person no longer see each other. They won't be notified."),
    ).toBeVisible();
    expect(received(createReport)[0]?.body).toEqual({
      problem_type: 'Harassment',
      description: 'He threatens me',
      reportedUser: 'bo-1',
      mayBeMinor: false,
      hideFromEachOther: true,
    });
  });

  it('sends that the person may be too young, and shows that both still see each other', async () => {
    serveFiling('critical');
    const { person } = await open('/app/support/new?user=bo-1');
    await person.click(reason('May be under 18'));
    await person.type(text(), 'She told me she is 15');
    await person.click(hide());
    await person.click(send());
    expect(await screen.findByText(/The two of you still see each other\.$/)).toBeVisible();
    expect(screen.getByText(/answer within 1 hour\.$/)).toBeVisible();
    expect(received(createReport)[0]?.body).toMatchObject({ mayBeMinor: true, hideFromEachOther: false });
  });

  it('shows and sends the reported picture', async () => {
    serveFiling();
    const { person } = await open(`/app/support/new?user=bo-1&picture=${pictureId('two')}`);
    expect(screen.getByRole('heading', { level: 1, name: 'Report a picture' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Back to the profile' })).toHaveAttribute('href', '/app/members/bo-1');
    expect(reason('Inappropriate pictures or messages')).toBeChecked();
    await person.type(text(), 'This is not him');
    await person.click(send());
    await waitFor(() => expect(received(createReport)).toHaveLength(1));
    expect(received(createReport)[0]?.body).toMatchObject({
      reportedUser: 'bo-1',
      problem_type: 'Inappropriate Content',
      evidence: [{ type: 'picture', id: pictureId('two') }],
    });
  });

  it('keeps a separate draft with both answers', async () => {
    const { person, unmount } = await open('/app/support/new?user=bo-1');
    await person.type(text(), 'About Bo');
    await person.click(hide());
    unmount();
    const other = await open('/app/support/new');
    expect(text()).toHaveValue('');
    other.unmount();
    await open('/app/support/new?user=bo-1');
    expect(text()).toHaveValue('About Bo');
    expect(hide()).not.toBeChecked();
  });
});

describe('reporting a conversation or a message', () => {
  const address = '/app/support/new?user=bo-1&match=match-1';

  it('shows and sends the reported message, and explains what hiding ends', async () => {
    serveFiling();
    const { person } = await open(`${address}&message=7`);
    expect(screen.getByRole('heading', { level: 1, name: 'Report a message' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Back to the conversation' })).toHaveAttribute(
      'href',
      '/app/messages/match-1',
    );
    expect(hide()).toBeChecked();
    expect(hide()).toHaveAccessibleDescription(/^This ends your match\./);
    await person.click(reason('Insults, threats or harassment'));
    await person.type(text(), 'He asks for money');
    await person.click(send());
    expect(
      await screen.findByText("You and this person no longer see each other. They won't be notified."),
    ).toBeVisible();
    expect(received(createReport)[0]?.body).toEqual({
      problem_type: 'Harassment',
      description: 'He asks for money',
      reportedUser: 'bo-1',
      mayBeMinor: false,
      hideFromEachOther: true,
      evidence: [{ type: 'message', id: 'match-1', seq: 7 }],
    });
  });

  it("quotes the message, and works without a quote if it can't be loaded", async () => {
    const messages = [message(7, { text: 'Send me money' })];
    serve(listMessages, () => ({ data: { messages, lastSeq: 9, hasMore: true } }));
    const { unmount } = await open(`${address}&message=7`);
    expect(await screen.findByRole('blockquote', { name: 'The message you are reporting' })).toHaveTextContent(
      'Send me money',
    );
    expect(received(listMessages)[0]).toMatchObject({ params: { id: 'match-1' }, query: { after: 6, limit: 1 } });
    unmount();
    failWith(listMessages, new Refusal('NOT_FOUND', 'Not found'));
    await open(`${address}&message=8`);
    await waitFor(() => expect(received(listMessages)).toHaveLength(2));
    expect(screen.queryByRole('blockquote')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it.each([
    ['a conversation', address, { reportedUser: 'bo-1' }],
    ['a conversation if the message position is invalid', `${address}&message=0x7`, { reportedUser: 'bo-1' }],
    ['a conversation that has ended, without a name', '/app/support/new?match=match-1', {}],
  ])('reports %s', async (_, at, named) => {
    serveFiling();
    const { person } = await open(at);
    expect(screen.getByRole('heading', { level: 1, name: 'Report a conversation' })).toBeVisible();
    await person.click(reason('Something else'));
    await person.type(text(), 'All of it');
    await person.click(hide());
    await person.click(send());
    expect(await screen.findByText(/The two of you still see each other\.$/)).toBeVisible();
    expect(received(createReport)[0]?.body).toEqual({
      problem_type: 'Other',
      description: 'All of it',
      ...named,
      mayBeMinor: false,
      hideFromEachOther: false,
      evidence: [{ type: 'message', id: 'match-1' }],
    });
  });
});
