import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OwnPicture } from '#contract/media.ts';
import { decidePicture } from '#contract/moderation/picture-queue.ts';
import { getAdminUser } from '#contract/profiles/staff.ts';
import { listSubscriptions } from '#contract/subscriptions/subscriptions.ts';
import { failWith, RawAnswer, received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { ownPicture, ownProfilePicture, pictureId } from '../../../test/fixtures/pictures.ts';
import { queuedPicture } from '../../../test/fixtures/staff/queued-pictures.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { adminUser, listedUser } from '../../../test/fixtures/staff/users.ts';
import { serveFile } from '../../../test/fixtures/staff/user-files.ts';
import { openUsers, serveUsers } from '../../../test/fixtures/staff/users-page.tsx';

const ada = listedUser({ _id: 'ada' });
let pictures: OwnPicture[] = [];
let answered = Promise.resolve();

/** Delays the server's answers to decisions until the returned function is called. */
function holdAnswers(): () => void {
  let release = () => {};
  answered = new Promise((resolve) => (release = resolve));
  return release;
}

const items = (scope: HTMLElement = document.body) =>
  within(within(scope).getByRole('list', { name: 'Pictures' })).getAllByRole('listitem');

async function openUser(person = administrator()) {
  const app = renderApp('/users/ada', person);
  await screen.findByRole('list', { name: 'Pictures' });
  return app;
}

async function reject({ person }: Awaited<ReturnType<typeof openUser>>, number: number) {
  await person.click(screen.getByRole('button', { name: `Reject picture ${number}` }));
  await person.type(await screen.findByRole('textbox', { name: /^Reason/ }), 'No person is visible');
  await person.click(screen.getByRole('button', { name: 'Reject' }));
}

beforeEach(() => {
  serveFile();
  serve(listSubscriptions, () => ({ data: { subscriptions: [] } }));
  answered = Promise.resolve();
  pictures = [
    ownProfilePicture('first'),
    ownPicture('second', { state: 'pending' }),
    ownPicture('third', { state: 'rejected', reason: 'Contact details or advertising', url: '', thumbnailUrl: '' }),
  ];
  serve(getAdminUser, () => ({ data: { user: adminUser(ada, { pictures }) } }));
  serve(decidePicture, async ({ params, body }) => {
    await answered;
    const decided = pictures.find(({ publicId }) => publicId === params.publicId);
    if (!decided) throw new Refusal('NOT_FOUND', 'There is no such picture');
    Object.assign(decided, { state: body.verdict, reason: body.reason ?? null });
    const user = { _id: 'ada', name: 'Ada Byron', age: 31, gender: 'woman' };
    return { data: { picture: { ...queuedPicture('any', { user }), ...decided } } };
  });
});

describe('the pictures on the page of one user', () => {
  it('show their status and the possible actions', async () => {
    await openUser(moderator());
    const [first, second, third] = items();
    expect(first).toHaveTextContent('ApprovedProfile pictureReject picture');
    expect(second).toHaveTextContent('PendingApproveReject picture');
    expect(third).toHaveTextContent('RejectedContact details or advertising');
    expect(within(third!).queryByRole('button')).toBeNull();
    expect(third!.querySelector('img')).toBeNull();
  });

  it('can be enlarged, except rejected ones', async () => {
    const { person } = await openUser();
    await person.click(screen.getByRole('button', { name: 'Enlarge picture 2' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Pictures of Ada Byron' }));
    expect(dialog.getByRole('img', { name: 'Picture 2 of 2' })).toHaveAttribute('src', '/api/v1/media/second-1600');
  });

  it('can be approved, which shows at once', async () => {
    const { person } = await openUser();
    const release = holdAnswers();
    await person.click(screen.getByRole('button', { name: 'Approve picture 2' }));
    expect(items()[1]).toHaveTextContent('Approved');
    release();
    await waitFor(() => expect(items()[1]).toHaveFocus());
    await waitFor(() =>
      expect(received(decidePicture).map(({ params, body }) => [params.publicId, body])).toEqual([
        [pictureId('second'), { verdict: 'approved' }],
      ]),
    );
    await waitFor(() => expect(screen.getByRole('button', { name: 'Reject picture 2' })).toBeEnabled());
  });

  it('can be rejected with a reason, even after approval', async () => {
    const app = await openUser();
    const release = holdAnswers();
    await reject(app, 1);
    expect(items()[0]).toHaveTextContent('RejectedProfile pictureNo person is visible');
    await waitFor(() => expect(items()[0]).toHaveFocus());
    release();
    await waitFor(() =>
      expect(received(decidePicture)[0]?.body).toEqual({ verdict: 'rejected', reason: 'No person is visible' }),
    );
    await waitFor(() => expect(received(getAdminUser)).toHaveLength(2));
    expect(items()[0]).toHaveTextContent('Rejected');
  });

  it('return to their state with an alert when the decision fails', async () => {
    const app = await openUser();
    failWith(decidePicture, new RawAnswer(500, ''));
    await reject(app, 1);
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'The decision on the picture of Ada Byron was not saved: Server error: Please try again later.',
    );
    expect(items()[0]).toHaveTextContent('Approved');
  });
});

describe('the pictures in the details of a user', () => {
  it('can be reviewed above the list, where Escape closes only the confirmation', async () => {
    serveUsers();
    const { person } = await openUsers('/users?user=ada');
    const details = await screen.findByRole('dialog', { name: 'User Details' });
    await within(details).findByRole('list', { name: 'Pictures' });
    await person.click(within(details).getByRole('button', { name: 'Reject picture 2' }));
    await screen.findByRole('dialog', { name: 'Reject the picture of Ada Byron?' });
    await person.keyboard('{Escape}');
    await waitFor(() => expect(within(details).getByRole('button', { name: 'Reject picture 2' })).toHaveFocus());
    expect(details).toBeVisible();
    await person.click(within(details).getByRole('button', { name: 'Approve picture 2' }));
    await waitFor(() => expect(items(details)[1]).toHaveTextContent('Approved'));
  });
});
