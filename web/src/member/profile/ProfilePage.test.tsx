import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { getPreferences } from '#contract/discovery.ts';
import { orderPictures } from '#contract/media.ts';
import { editProfile, getProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { queryClient } from '../../api/query-client.ts';
import { CutOff, received, Refusal, serve } from '../../../test/fake-server.ts';
import { serveOwnProfile } from '../../../test/fixtures/own-profile.ts';
import { administrator, ownUser } from '../../../test/fixtures/people.ts';
import { ownPicture, ownProfilePicture, pictureId } from '../../../test/fixtures/pictures.ts';
import { beWide } from '../../../test/fixtures/staff/users.ts';
import { renderApp } from '../../../test/render-app.tsx';

const region = (name: string) => within(screen.getByRole('region', { name }));
const save = () => screen.getByRole('button', { name: 'Save' });

async function open(user = ownUser()) {
  serveOwnProfile(user);
  const app = renderApp('/app/profile', user);
  await screen.findByRole('region', { name: 'Who I want to meet' });
  return app;
}

async function edit(part: string, user = ownUser()) {
  const app = await open(user);
  await app.person.click(screen.getByRole('button', { name: `Edit ${part}` }));
  return app;
}

describe('the member’s own profile', () => {
  it('shows that it is paused, and can be resumed', async () => {
    serveOwnProfile(ownUser(), { isPaused: true });
    const { person } = renderApp('/app/profile', ownUser());
    expect(await screen.findByText("Your profile is paused. New people can't find you.")).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Resume' }));
    expect(await screen.findByText('Your profile is visible again.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Resume' })).toBeNull();
  });

  it('shows the saved data, part by part', async () => {
    await open(ownUser({ bio: 'I count rings.', goal: 'long-term', heightCm: 171, languages: ['pt'] }));
    expect(screen.getByRole('heading', { level: 1, name: 'Your profile' })).toBeVisible();
    expect(document.title).toBe('Your profile · Heartwood');
    await screen.findByRole('heading', { level: 2, name: 'Photo verification' });
    await screen.findByRole('heading', { level: 2, name: 'Questions' });
    expect(screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toEqual([
      'My pictures',
      'Photo verification',
      'About me',
      'Where I live',
      "What I'm looking for, and how I live",
      'Interests',
      'Languages',
      'In my own words',
      'Who I want to meet',
      'Questions',
    ]);
    const words = [
      'Ada',
      'Byron',
      'Mar 2, 1994',
      'I count rings.',
      'Lisbon, Portugal',
      'Something that lasts',
      '171 cm',
    ];
    for (const word of [...words, 'Portuguese']) expect(screen.getByText(word)).toBeVisible();
    expect(region('Interests').getByText('Nothing here yet.')).toBeVisible();
    expect(screen.queryByRole('meter')).toBeNull();
  });

  it('shows an error, and retries', async () => {
    const { person } = renderApp('/app/profile', ownUser());
    serveOwnProfile(ownUser());
    serve(getPreferences, () => {
      throw new CutOff();
    });
    expect(await screen.findByText(/^Couldn't load your preferences: Network error/)).toBeVisible();
    serveOwnProfile(ownUser());
    await person.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('region', { name: 'Who I want to meet' })).toBeVisible();
  });

  it('shows how complete it is', async () => {
    await open(ownUser({ profileComplete: false, seeking: [], location: null }));
    const meter = await screen.findByRole('meter', { name: 'Profile completeness' });
    expect(meter).toHaveAttribute('aria-valuenow', '4');
    expect(meter).toHaveAttribute('aria-valuemax', '6');
    expect(screen.getByText(/missing: who you would like to meet and where you live\.$/)).toBeVisible();
  });

  it.each([
    ['pending', '6', 'Your profile is complete.'],
    ['rejected', '5', /missing: a picture\.$/],
  ] as const)('counts a picture that is %s towards completeness', async (state, done, words) => {
    await open(ownUser({ profileComplete: false, pictures: [ownProfilePicture('one', { state })] }));
    expect(await screen.findByRole('meter')).toHaveAttribute('aria-valuenow', done);
    expect(screen.getByText(words)).toBeVisible();
  });

  it('is available to staff, without preferences', async () => {
    serveOwnProfile(administrator());
    renderApp('/app/profile', administrator());
    expect(await screen.findByRole('region', { name: 'About me' })).toBeVisible();
    expect(screen.queryByText(/Who I want to meet/)).toBeNull();
  });
});

describe('the About me part', () => {
  it('is edited in place and updates the header', async () => {
    const { person } = await edit('About me');
    const name = screen.getByLabelText(/^First name/);
    expect(name).toHaveFocus();
    await person.clear(name);
    await person.type(name, 'Augusta');
    await person.selectOptions(screen.getByLabelText('Gender'), 'non-binary');
    await person.type(screen.getByLabelText('In your own words'), 'agender');
    await person.type(screen.getByLabelText('About you'), 'Two lines.{Enter}Of me.');
    await person.click(save());
    expect(await screen.findByText('Saved.')).toHaveAttribute('role', 'status');
    expect(received(editProfile)[0]?.body).toEqual({
      firstName: 'Augusta',
      gender: 'non-binary',
      genderText: 'agender',
      bio: 'Two lines.\nOf me.',
    });
    expect(screen.getByText('agender')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Edit About me' })).toHaveFocus();
    await waitFor(() => expect(screen.getByRole('banner')).toHaveTextContent('Augusta Byron'));
  });

  it('deletes the values of emptied fields', async () => {
    const { person } = await edit('About me', ownUser({ bio: 'Old words', genderText: 'own' }));
    await person.clear(screen.getByLabelText('About you'));
    await person.clear(screen.getByLabelText('In your own words'));
    await person.selectOptions(screen.getByLabelText('Gender'), '');
    await person.click(save());
    await screen.findByText('Saved.');
    expect(received(editProfile)[0]?.body).toMatchObject({ gender: null, genderText: '', bio: '' });
    expect(screen.queryByText('Old words')).toBeNull();
  });

  it('has a birth date that can be set once', async () => {
    const { person } = await edit('About me', ownUser({ birthDate: null, age: null, profileComplete: false }));
    await person.type(screen.getByLabelText('Birth date'), '1994-03-02');
    await person.click(save());
    await screen.findByText('Saved.');
    expect(received(editProfile)[0]?.body).toMatchObject({ birthDate: '1994-03-02' });
    await person.click(screen.getByRole('button', { name: 'Edit About me' }));
    expect(screen.queryByLabelText('Birth date')).toBeNull();
    expect(screen.getByText('Mar 2, 1994')).toBeVisible();
  });

  it('shows errors at their fields, before and after sending', async () => {
    const { person } = await edit('About me');
    const name = screen.getByLabelText(/^First name/);
    await person.clear(name);
    await person.click(save());
    expect(name).toHaveFocus();
    expect(name).toHaveAccessibleDescription('This is required');
    expect(received(editProfile)).toEqual([]);
    serve(editProfile, () => {
      throw new Refusal('INVALID_INPUT', 'Check the fields', { errors: [{ field: 'bio', msg: 'Not these words' }] });
    });
    await person.type(name, 'Ada');
    await person.click(save());
    const bio = screen.getByLabelText('About you');
    await waitFor(() => expect(bio).toHaveFocus());
    expect(bio).toHaveAccessibleDescription(/^Not these words/);
  });

  it('keeps typed text across a failed save and a reload until canceled', async () => {
    const { person, unmount } = await edit('About me');
    serve(editProfile, () => {
      throw new CutOff();
    });
    await person.type(screen.getByLabelText('About you'), 'Half a thought');
    await person.click(save());
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Network error/);
    unmount();
    const again = await open();
    expect(screen.getByText('What you typed before is still here. It is not saved yet.')).toBeVisible();
    expect(screen.getByLabelText('About you')).toHaveValue('Half a thought');
    await again.person.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByText('Half a thought')).toBeNull();
    again.unmount();
    await open();
    expect(screen.queryByLabelText('About you')).toBeNull();
  });
});

describe('a draft of a part of the profile', () => {
  it('does not overwrite changes made on another device meanwhile', async () => {
    const { person, unmount } = await edit('About me');
    await person.type(screen.getByLabelText('About you'), 'Half a thought');
    unmount();
    queryClient.clear();
    const again = await open(ownUser({ firstName: 'Augusta', bio: null }));
    expect(screen.getByLabelText(/^First name/)).toHaveValue('Augusta');
    await again.person.click(save());
    await screen.findByText('Saved.');
    expect(received(editProfile)[0]?.body).toEqual({ bio: 'Half a thought' });
  });

  it('is replaced by the saved values if it only contained the old ones', async () => {
    const { person, unmount } = await edit('About me');
    await person.type(screen.getByLabelText('About you'), 'The same thought');
    unmount();
    queryClient.clear();
    await open(ownUser({ bio: 'The same thought' }));
    expect(screen.queryByText('What you typed before is still here. It is not saved yet.')).toBeNull();
  });
});

describe('the member’s pictures', () => {
  const pictures = [ownProfilePicture('one'), ownPicture('two', { state: 'pending' })];

  it('are the first part, and edited in place', async () => {
    const { person } = await open(ownUser({ pictures }));
    const section = () => region('My pictures');
    expect(section().getByText(/^No one under 18/)).toBeVisible();
    await person.click(await section().findByRole('button', { name: 'Make profile picture: picture 2' }));
    await waitFor(() => expect(received(orderPictures)[0]?.body.publicIds).toEqual(['two', 'one'].map(pictureId)));
    expect(await section().findByRole('img', { name: 'My profile picture' })).toHaveAttribute(
      'src',
      '/api/v1/media/two-400',
    );
  });

  it('leave the profile incomplete when the last one is deleted', async () => {
    const { person } = await open(ownUser({ pictures: [ownProfilePicture('one')] }));
    await person.click(await screen.findByRole('button', { name: 'Delete picture 1' }));
    await person.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(await screen.findByText(/missing: a picture\.$/)).toBeVisible();
  });
});

describe('the preview', () => {
  const dialog = () => within(screen.getByRole('dialog', { name: 'How others see you' }));

  async function look(user: OwnUser) {
    const app = await open(user);
    await app.person.click(screen.getByRole('button', { name: 'Preview' }));
    await screen.findByRole('dialog', { name: 'How others see you' });
    return app;
  }

  it('shows the card that others see', async () => {
    const { person } = await look(
      ownUser({
        bio: 'مرحبا',
        goal: 'friendship',
        interests: ['hiking', 'tea'],
        languages: ['pt', 'ar'],
        smoking: 'never',
        prompts: [{ prompt: 'ask-me', answer: 'the lighthouse' }],
      }),
    );
    expect(dialog().getByRole('heading', { level: 3, name: 'Ada, 31' })).toBeVisible();
    const words = [
      'Friendship',
      'hiking',
      'tea',
      'Portuguese, Arabic',
      "Doesn't smoke",
      'Ask me about',
      'the lighthouse',
    ];
    for (const word of words) expect(dialog().getByText(word)).toBeVisible();
    expect(dialog().getByText('مرحبا')).toHaveAttribute('dir', 'auto');
    expect(dialog().queryByText(/Byron/)).toBeNull();
    expect(document.title).toBe('Your profile · Heartwood');
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Preview' })).toHaveFocus());
  });

  it('shows valid typed text at once, marked as not saved', async () => {
    const { person } = await open(ownUser({ bio: 'Builds boats.' }));
    await person.click(screen.getByRole('button', { name: 'Edit About me' }));
    await person.type(screen.getByLabelText(/^About you/), ' And bakes.');
    await person.clear(screen.getByLabelText(/^First name/));
    const form = screen.getByLabelText(/^About you/).closest('form') as HTMLElement;
    await person.click(within(form).getByRole('button', { name: 'Preview' }));
    await screen.findByRole('dialog', { name: 'How others see you' });
    expect(dialog().getByText('Builds boats. And bakes.')).toBeVisible();
    expect(dialog().getByText('Not saved yet')).toBeVisible();
    expect(dialog().getByRole('heading', { level: 3, name: 'Ada, 31' })).toBeVisible();
    await person.keyboard('{Escape}');
    await person.click(within(form).getByRole('button', { name: 'Cancel' }));
    await person.click(screen.getByRole('button', { name: 'Preview' }));
    expect(await screen.findByText('Builds boats.', { selector: '[role=dialog] *, dialog *' })).toBeVisible();
    expect(dialog().queryByText('Not saved yet')).toBeNull();
  });

  it('stays next to the forms if there is room', async () => {
    beWide();
    const { person } = await open(ownUser({ interests: [] }));
    const pane = await screen.findByRole('region', { name: 'How others see you' });
    expect(screen.queryByRole('button', { name: 'Preview' })).toBeNull();
    await person.click(screen.getByRole('button', { name: 'Edit About me' }));
    await person.type(screen.getByLabelText(/^First name/), ' Lou');
    expect(within(pane).getByRole('heading', { level: 3, name: 'Ada Lou, 31' })).toBeVisible();
    expect(within(pane).getByText('Not saved yet')).toBeVisible();
  });

  it('leaves out empty fields and hidden times', async () => {
    const nothing = { gender: null, age: null, location: null, settings: { showLastActive: false } };
    await look(ownUser(nothing));
    expect(dialog().getByRole('heading', { level: 3, name: 'Ada' })).toBeVisible();
    expect(screen.getByRole('dialog')).not.toHaveTextContent(
      /null|undefined|NaN|Never|Online|Last active|Smoking|Speaks/,
    );
    expect(dialog().queryByRole('term')).toBeNull();
  });

  it('shows only approved pictures', async () => {
    const pictures = [ownProfilePicture('one'), ownPicture('two', { state: 'pending' })];
    await look(ownUser({ pictures }));
    expect(dialog().getByRole('img', { name: 'Picture of Ada' })).toHaveAttribute('src', '/api/v1/media/one-400');
    expect(dialog().getByText(/Pictures waiting for review are not shown yet\.$/)).toBeVisible();
    expect(dialog().queryByRole('button', { name: 'Next picture' })).toBeNull();
    expect(dialog().queryByRole('link')).toBeNull();
  });
});

describe('loading the profile', () => {
  it('shows an error when it fails', async () => {
    serveOwnProfile(ownUser());
    const { person } = renderApp('/faqs', ownUser());
    await screen.findByRole('heading', { level: 1 });
    serve(getProfile, () => {
      throw new CutOff();
    });
    await person.click(screen.getByRole('link', { name: 'Profile' }));
    expect(await screen.findByText(/^Couldn't load your profile: Network error/)).toBeVisible();
  });
});
