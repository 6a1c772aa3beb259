import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { noPreferences, putPreferences } from '#contract/discovery.ts';
import { putNotificationSettings } from '#contract/notifications.ts';
import { putSavedFilters, type SavedFilter } from '#contract/saved-filters.ts';
import { CutOff, failWith, received } from '../../../test/fake-server.ts';
import { serveSavedFilters } from '../../../test/fixtures/control.ts';
import { cardOf, serveDeck } from '../../../test/fixtures/deck.ts';
import { serveNotificationSettings } from '../../../test/fixtures/notifications.ts';
import { serveOwnProfile } from '../../../test/fixtures/own-profile.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { renderApp } from '../../../test/render-app.tsx';

const { order: _, elsewhere: __, ...nothing } = noPreferences;
const nearby: SavedFilter = {
  name: 'Nearby',
  preferences: { ...nothing, distance: { maxKm: 10, required: true } },
};

async function open(...filters: SavedFilter[]) {
  serveOwnProfile(ownUser());
  serveDeck([cardOf('Bo')]);
  serveSavedFilters(...filters);
  serveNotificationSettings();
  const app = renderApp('/app/discover?wishes=open', ownUser());
  await app.person.click(await screen.findByRole('button', { name: 'More filters' }));
  return { ...app, part: within(await screen.findByRole('region', { name: 'Saved filters' })) };
}

describe('saved filters', () => {
  it('apply with one press', async () => {
    const { person, part } = await open(nearby);
    await person.click(await part.findByRole('button', { name: 'Use the filters “Nearby”' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(received(putPreferences)[0]?.body).toEqual(nearby.preferences);
  });

  it('are stored from the form under a name, and can be deleted', async () => {
    const { person, part } = await open(nearby);
    await part.findByRole('button', { name: 'Use the filters “Nearby”' });
    fireEvent.change(screen.getByRole('slider', { name: 'Youngest age' }), { target: { value: '30' } });
    await person.type(part.getByLabelText('Name of these filters'), 'Older{enter}');
    expect(await part.findByRole('button', { name: 'Use the filters “Older”' })).toBeVisible();
    expect(received(putSavedFilters)[0]?.body.filters[1]).toMatchObject({
      name: 'Older',
      preferences: { age: { min: 30, max: 120, required: true }, photoVerifiedOnly: false },
    });
    await person.click(part.getByRole('button', { name: 'Delete the filters “Nearby”' }));
    await waitFor(() => expect(part.queryByRole('button', { name: 'Use the filters “Nearby”' })).toBeNull());
    await waitFor(() => expect(part.getByLabelText('Name of these filters')).toHaveFocus());
    expect(received(putPreferences)).toEqual([]);
  });

  it('notify when someone new fits, which turns the alert on', async () => {
    const { person, part } = await open(nearby);
    const bell = await part.findByRole('button', { name: 'Tell me when someone new fits “Nearby”' });
    expect(bell).toHaveAttribute('aria-pressed', 'false');
    await person.click(bell);
    await waitFor(() => expect(bell).toHaveAttribute('aria-pressed', 'true'));
    expect(received(putSavedFilters)[0]?.body.filters).toEqual([{ ...nearby, hasAlert: true }]);
    expect(received(putNotificationSettings)[0]?.body.settings).toEqual({ fit: { mail: 'daily', push: true } });
    await person.click(bell);
    await waitFor(() => expect(bell).toHaveAttribute('aria-pressed', 'false'));
    expect(received(putNotificationSettings)).toHaveLength(1);
  });

  it('do not turn on alerts of other filters that had one before', async () => {
    const { person, part } = await open(nearby, { ...nearby, name: 'Older', hasAlert: true });
    const bell = async (name: string) =>
      await part.findByRole('button', { name: `Tell me when someone new fits “${name}”` });
    expect(await bell('Older')).toHaveAttribute('aria-pressed', 'false');
    await person.click(await bell('Nearby'));
    await waitFor(async () => expect(await bell('Nearby')).toHaveAttribute('aria-pressed', 'true'));
    expect(await bell('Older')).toHaveAttribute('aria-pressed', 'false');
    await person.click(await bell('Older'));
    await waitFor(async () => expect(await bell('Older')).toHaveAttribute('aria-pressed', 'true'));
    expect(await bell('Nearby')).toHaveAttribute('aria-pressed', 'true');
  });

  it('show the reason when saving fails', async () => {
    const { person, part } = await open();
    failWith(putSavedFilters, new CutOff());
    await person.type(part.getByLabelText('Name of these filters'), 'Any');
    await person.click(part.getByRole('button', { name: 'Save filters' }));
    expect(await part.findByRole('alert')).toHaveTextContent(/^That didn't work: Network error/);
    expect(part.getByLabelText('Name of these filters')).toHaveValue('Any');
  });
});
