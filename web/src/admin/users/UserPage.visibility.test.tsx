import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { getAdminUser } from '#contract/profiles/staff.ts';
import { listSubscriptions } from '#contract/subscriptions/subscriptions.ts';
import { getUserAsMember, getVisibility, type Visibility } from '#contract/visibility.ts';
import { received, serve } from '../../../test/fake-server.ts';
import { administrator } from '../../../test/fixtures/people.ts';
import { adminUser, listedUser } from '../../../test/fixtures/staff/users.ts';
import { memberNamed } from '../../../test/fixtures/deck.ts';
import { renderApp } from '../../../test/render-app.tsx';

beforeEach(() => {
  serve(listSubscriptions, () => ({ data: { subscriptions: [] } }));
  serve(getAdminUser, () => ({ data: { user: adminUser(listedUser({ _id: 'ada', name: 'Ada Byron' })) } }));
});

async function open(button: string) {
  const { person } = renderApp('/users/ada', administrator());
  await person.click(await screen.findByRole('button', { name: button }));
  return within(await screen.findByRole('dialog'));
}

describe('what others see of a user', () => {
  it('shows the profile as members see it', async () => {
    serve(getUserAsMember, () => ({ data: { user: memberNamed('Ada', { _id: 'ada' }) } }));
    const dialog = await open('View as member');
    expect(await dialog.findByRole('heading', { name: /^Ada, / })).toBeVisible();
    expect(received(getUserAsMember)).toMatchObject([{ params: { id: 'ada' } }]);
  });

  it('names the reasons and the groups, and keeps small groups vague', async () => {
    const visibility: Visibility = {
      reasons: ['incomplete', 'paused'],
      missing: ['gender', 'pictures'],
      audience: {
        ...{ nearby: 500, canSee: null, theirDistance: null, theirFilters: 40, decided: null },
        ownFilters: [{ filter: 'age', excluded: 120 }],
      },
    };
    serve(getVisibility, () => ({ data: visibility }));
    const dialog = await open('Why can’t they be seen?');
    expect(await dialog.findByText('Their profile is incomplete. Missing: gender, a picture.')).toBeVisible();
    expect(dialog.getByText('They paused their profile.')).toBeVisible();
    const rows = dialog.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(rows).toEqual([
      'Active members nearby500 or more',
      'Can get them as a cardfewer than 10',
      'Excluded only by Ada Byron’s own filter for age120',
      'Want someone closer by than Ada Byronfewer than 10',
      'Have other filters that Ada Byron does not meet40',
      'Fit both ways, but one of the two has decidedfewer than 10',
    ]);
    expect(screen.getByRole('dialog', { name: 'Why can’t Ada Byron be seen?' })).toBeVisible();
  });

  it('asks the server who can see a member that nothing hides', async () => {
    serve(getVisibility, () => ({ data: { reasons: [], missing: [], audience: null } }));
    const dialog = await open('Why can’t they be seen?');
    expect(await dialog.findByText('Nothing about the profile hides it.')).toBeVisible();
    expect(screen.getByRole('dialog', { name: 'Who can see Ada Byron?' })).toBeVisible();
  });

  it('distinguishes a member who never came from one who left', async () => {
    const visibility: Visibility = { reasons: ['unopened'], missing: [], audience: null };
    serve(getVisibility, () => ({ data: visibility }));
    const dialog = await open('Why can’t they be seen?');
    expect(await dialog.findByText(/^They have not opened the app since they joined/)).toBeVisible();
  });
});
