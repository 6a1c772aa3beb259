import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { getCase } from '#contract/moderation/cases.ts';
import { listRules } from '#contract/moderation/decisions.ts';
import { openCase } from '#contract/moderation/own-cases.ts';
import { writeToMember } from '#contract/moderation/staff-messages.ts';
import { listReplyTemplates } from '#contract/moderation/templates.ts';
import { getAdminUser } from '#contract/profiles/staff.ts';
import { listSubscriptions } from '#contract/subscriptions/subscriptions.ts';
import { received, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { ownPicture } from '../../../test/fixtures/pictures.ts';
import { caseFile, serveCases, staffCase } from '../../../test/fixtures/staff/cases.ts';
import { replyTemplate } from '../../../test/fixtures/staff/staff-reports.ts';
import { adminUser, listedUser } from '../../../test/fixtures/staff/users.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

const reportId = '018f3a52-9c1e-7b44-8d0a-0000003f9a2c';
const reason = 'The profile offers paid chats elsewhere.';
const ada = listedUser({ _id: 'ada', firstName: 'Ada', name: 'Ada Byron' });

beforeEach(() => {
  serve(listSubscriptions, () => ({ data: { subscriptions: [] } }));
  serve(getAdminUser, () => ({ data: { user: adminUser(ada, { pictures: [ownPicture('front')] }) } }));
  serve(listReplyTemplates, () => ({
    data: {
      templates: [
        replyTemplate({ kind: 'message', name: 'About the card', text: 'Hi {firstName}, about {type}:' }),
        replyTemplate({
          _id: 't2',
          kind: 'message',
          name: 'About the profile',
          text: 'Hi {firstName}, about your profile:',
        }),
        replyTemplate({ _id: 't3' }),
      ],
    },
  }));
  serve(writeToMember, () => ({ data: { reportId } }));
  serve(openCase, () => ({ data: { case: staffCase(), reportId } }));
  serve(getCase, () => ({ data: caseFile({ case: staffCase() }) }));
  serve(listRules, () => ({ data: { rules: [] } }));
  serveCases({});
});

async function choose(act: string, by = administrator()) {
  const { person } = renderApp('/users/ada', by);
  await person.click(await screen.findByRole('button', { name: act }));
  return { person, dialog: within(await screen.findByRole('dialog')) };
}

describe('"Write to" on the page of a user', () => {
  it('fills in a template, rejects its gaps, and sends the text', async () => {
    const { person, dialog } = await choose('Write to Ada Byron');
    await person.click(await dialog.findByRole('radio', { name: 'About the card' }));
    const field = dialog.getByRole('textbox', { name: /^Message/ });
    expect(field).toHaveValue('Hi Ada, about {type}:');
    await person.click(dialog.getByRole('button', { name: /^Send/ }));
    expect(dialog.getByText(/^Fill in “type”/)).toBeVisible();
    expect(received(writeToMember)).toEqual([]);

    await person.clear(field);
    await person.type(field, 'Is your card still valid?');
    await person.click(dialog.getByRole('button', { name: /^Send/ }));
    expect(await screen.findByText('Sent. The answer of Ada Byron becomes a report assigned to you.')).toBeVisible();
    expect(received(writeToMember)).toMatchObject([
      { params: { id: 'ada' }, body: { text: 'Is your card still valid?' } },
    ]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('offers only templates for first messages, and replaces an untouched one with the next', async () => {
    const { person, dialog } = await choose('Write to Ada Byron');
    const [card, profile, ...others] = await dialog.findAllByRole('radio');
    expect(card).toBe(dialog.getByRole('radio', { name: 'About the card' }));
    expect(others).toEqual([]);
    const field = dialog.getByRole('textbox', { name: /^Message/ });
    await person.click(card!);
    await person.click(profile!);
    expect(field).toHaveValue('Hi Ada, about your profile:');
    await person.type(field, ' it is good.');
    await person.click(card!);
    expect(field).toHaveValue('Hi Ada, about your profile: it is good.\n\nHi Ada, about {type}:');
  });

  it('is not offered for colleagues and people who cannot sign in', async () => {
    serve(getAdminUser, () => ({ data: { user: adminUser(listedUser({ ...ada, isActive: false })) } }));
    renderApp('/users/ada', moderator());
    expect(await screen.findByRole('button', { name: 'Open a case' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Write to/ })).toBeNull();
  });
});

describe('"Open a case" on the page of a user', () => {
  it('sends the reason, pictures and linked messages, and leads to the case', async () => {
    const { person, dialog } = await choose('Open a case', moderator());
    await person.selectOptions(dialog.getByRole('combobox', { name: /^What is it about/ }), 'Inappropriate Content');
    await person.type(dialog.getByRole('textbox', { name: /^Reason/ }), reason);
    await person.click(dialog.getByRole('checkbox', { name: 'This person may be under 18' }));
    await person.click(dialog.getByRole('checkbox', { name: 'Picture 1' }));
    await person.type(
      dialog.getByRole('textbox', { name: 'Links to messages' }),
      `http://localhost:3000/reports/${reportId}#message-2`,
    );
    await person.click(dialog.getByRole('button', { name: /^Open the case/ }));
    await waitFor(() => expect(currentAddress()).toBe(`/cases/${staffCase()._id}`));
    expect(received(openCase)).toMatchObject([
      {
        params: { id: 'ada' },
        body: {
          problem_type: 'Inappropriate Content',
          reason,
          mayBeMinor: true,
          pictures: [ownPicture('front').publicId],
          messages: [{ reportId, seq: 2 }],
        },
      },
    ]);
  });

  it('shows what is missing, and lines that are not links', async () => {
    const { person, dialog } = await choose('Open a case');
    await person.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'A scam');
    await person.type(dialog.getByRole('textbox', { name: 'Links to messages' }), 'the second one');
    await person.click(dialog.getByRole('button', { name: /^Open the case/ }));
    expect(dialog.getByText('Choose one of the types')).toBeVisible();
    expect(dialog.getByText('Put one link to a message on each line')).toBeVisible();
    expect(received(openCase)).toEqual([]);
  });
});
