import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { decidePicture } from '#contract/moderation/picture-queue.ts';
import { received } from '../../../test/fake-server.ts';
import { cards, currentCards, openQueue, owners, sentDecisions } from '../../../test/fixtures/staff/picture-queue.tsx';
import { manyQueued, serveQueue } from '../../../test/fixtures/staff/queued-pictures.ts';
import { serveUsers } from '../../../test/fixtures/staff/users-page.tsx';

beforeEach(() => serveUsers());

describe('rejecting a picture in the queue', () => {
  const reasons = () => screen.getByRole('dialog', { name: 'Reject the picture of P1?' });
  const field = () => within(reasons()).getByRole('textbox', { name: /^Reason/ });

  it('requires a reason, which the member reads', async () => {
    serveQueue(manyQueued(2));
    const { person } = await openQueue();
    await person.keyboard('r');
    expect(field()).toHaveAccessibleDescription('The member can read this.');
    expect(field()).toHaveAttribute('maxlength', '1000');
    await person.click(within(reasons()).getByRole('button', { name: 'Reject' }));
    expect(field()).toHaveFocus();
    expect(field()).toHaveAccessibleDescription(/Please give a reason/);
    await person.keyboard('jar?');
    expect(field()).toHaveValue('jar?');
    expect(sentDecisions()).toEqual([]);
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(owners()).toEqual(['P1', 'P2']);
  });

  it('fills the field with a common reason that can be edited', async () => {
    serveQueue(manyQueued(2));
    const { person } = await openQueue();
    await person.click(screen.getByRole('button', { name: 'Reject the picture of P1' }));
    expect(
      within(reasons())
        .getAllByRole('radio')
        .map((radio) => radio.closest('label')?.textContent),
    ).toEqual([
      'It shows someone else',
      'No person is visible',
      'Nudity or sexual content',
      'Someone looks under 18',
      'Contact details or advertising',
      'It shows several people, and it is unclear which one is you',
    ]);
    await person.click(within(reasons()).getByRole('radio', { name: 'No person is visible' }));
    expect(field()).toHaveValue('No person is visible');
    await person.type(field(), ' but a cat{Control>}{Enter}{/Control}');
    await waitFor(() =>
      expect(received(decidePicture)[0]?.body).toEqual({
        verdict: 'rejected',
        reason: 'No person is visible but a cat',
      }),
    );
    expect(owners()).toEqual(['P2']);
    expect(screen.getByRole('button', { name: 'Enlarge the picture of P2' })).toHaveFocus();
  });

  it('keeps everyone from uploading the photo on request', async () => {
    serveQueue(manyQueued(2));
    const { person } = await openQueue();
    await person.keyboard('r');
    await person.keyboard('abuse');
    await person.click(within(reasons()).getByRole('checkbox', { name: 'Block this photo for everyone' }));
    await person.click(within(reasons()).getByRole('button', { name: 'Reject' }));
    const body = { verdict: 'rejected', reason: 'abuse', fromEveryone: true };
    await waitFor(() => expect(received(decidePicture)[0]?.body).toEqual(body));
  });

  it('focuses the field, and sends the typed reason', async () => {
    serveQueue(manyQueued(2));
    const { person } = await openQueue();
    await person.keyboard('{r>3}');
    expect(field()).toHaveFocus();
    expect(field()).toHaveValue('');
    await person.keyboard('{/r} no[Space]face{Enter}');
    for (const ready of within(reasons()).getAllByRole('radio')) expect(ready).not.toBeChecked();
    await person.keyboard('{Meta>}{Enter}{/Meta}');
    await waitFor(() => expect(received(decidePicture)[0]?.body).toMatchObject({ reason: 'no face' }));
    expect(owners()).toEqual(['P2']);
  });

  it('takes only a few keys with a common reason', async () => {
    serveQueue(manyQueued(2));
    const { person } = await openQueue();
    await person.keyboard('r');
    await person.keyboard('{Shift>}{Tab}{/Shift}');
    const ready = within(reasons())
      .getAllByRole<HTMLInputElement>('radio')
      .find((radio) => radio === document.activeElement);
    expect(ready).toHaveAccessibleName();
    await person.keyboard('[Space]');
    expect(ready).toBeChecked();
    const words = ready?.closest('label')?.textContent;
    expect(field()).toHaveValue(words);
    await person.keyboard('{Enter}');
    await waitFor(() => expect(received(decidePicture)[0]?.body).toMatchObject({ reason: words }));
    expect(owners()).toEqual(['P2']);
  });
});

describe('an enlarged picture of the queue', () => {
  const stage = (name: string) =>
    screen.getByRole('button', { name: `The picture of ${name}, enlarged. Back to all pictures` });

  it('opens in full with Enter or a click, and closes with Enter or Escape', async () => {
    serveQueue(manyQueued(3));
    const { person } = await openQueue();
    await person.keyboard('j{Enter}');
    await waitFor(() => expect(stage('P2')).toHaveFocus());
    expect(stage('P2').querySelector('img')).toHaveAttribute('src', '/api/v1/media/P2-1600');
    await person.keyboard('{Enter}');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Enlarge the picture of P2' })).toHaveFocus());
    await person.click(screen.getByRole('button', { name: 'Enlarge the picture of P3' }));
    await waitFor(() => expect(stage('P3')).toHaveFocus());
    await person.keyboard('{Escape}');
    expect(currentCards()).toEqual([cards()[2]]);
  });

  it('shows the next picture after a decision, until none is left', async () => {
    serveQueue(manyQueued(3));
    const { person } = await openQueue();
    await person.keyboard('{Enter}');
    await person.keyboard('a');
    expect(stage('P2')).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Approve' }));
    expect(stage('P3')).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Reject' }));
    await person.keyboard('Blurred{Control>}{Enter}{/Control}');
    expect(await screen.findByText('No pictures are waiting.')).toBeVisible();
    await waitFor(() =>
      expect(sentDecisions().map(([, verdict]) => verdict)).toEqual(['approved', 'approved', 'rejected']),
    );
  });

  it('moves with keys and buttons, and a button keeps the focus', async () => {
    serveQueue(manyQueued(3));
    const { person } = await openQueue();
    await person.keyboard('{Enter}j');
    expect(stage('P2')).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Next picture' }));
    expect(stage('P3')).toBeVisible();
    await person.keyboard('[Space]');
    expect(stage('P3')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Next picture' })).toHaveFocus();
    await person.keyboard('{ArrowLeft}k');
    expect(stage('P1')).toBeVisible();
  });

  it('preloads the next ones', async () => {
    const fetched: string[] = [];
    vi.stubGlobal(
      'Image',
      class {
        set src(address: string) {
          fetched.push(address);
        }
      },
    );
    serveQueue(manyQueued(30));
    const { person } = await openQueue();
    expect(
      cards()
        .map((card) => card.querySelector('img')?.getAttribute('loading'))
        .lastIndexOf('eager'),
    ).toBe(12);
    await person.keyboard('{Enter}');
    await waitFor(() => expect(fetched).toContain('/api/v1/media/P2-1600'));
    expect(fetched).toContain('/api/v1/media/P13-400');
    expect(fetched).not.toContain('/api/v1/media/P20-1600');
  });
});

describe('the keys of the queue', () => {
  it('close an enlarged picture with Escape even when they are switched off', async () => {
    localStorage.setItem('single-keys', 'off');
    serveQueue(manyQueued(2));
    const { person } = await openQueue();
    await person.click(screen.getByRole('button', { name: 'Enlarge the picture of P2' }));
    await screen.findByRole('button', { name: /^The picture of P2, enlarged/ });
    await person.keyboard('{Escape}');
    expect(await screen.findByRole('button', { name: 'Enlarge the picture of P2' })).toHaveFocus();
  });

  it('approve only once while a key is held down', async () => {
    serveQueue(manyQueued(5));
    const { person } = await openQueue();
    await person.keyboard('{a>5/}');
    expect(owners()).toEqual(['P2', 'P3', 'P4', 'P5']);
    await waitFor(() => expect(sentDecisions()).toHaveLength(1));
  });
});
