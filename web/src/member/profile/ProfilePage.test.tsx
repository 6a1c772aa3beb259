import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { orderPictures } from '#contract/media.ts';
import { editProfile } from '#contract/profiles/profiles.ts';
import { queryClient } from '../../api/query-client.ts';
import { CutOff, failWith, received, Refusal } from '../../../test/fake-server.ts';
import { serveOwnProfile } from '../../../test/fixtures/own-profile.ts';
import { administrator, ownUser } from '../../../test/fixtures/people.ts';
import { ownPicture, ownProfilePicture, pictureId } from '../../../test/fixtures/pictures.ts';
import { renderApp } from '../../../test/render-app.tsx';

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
  await screen.findByRole('dialog', { name: part });
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

  it('is the card that others see, with what only the member sees next to it', async () => {
    await open(ownUser({ bio: 'I count rings.', goal: 'long-term', heightCm: 171, languages: ['pt'] }));
    expect(screen.getByRole('heading', { level: 1, name: 'Your profile' })).toBeVisible();
    expect(document.title).toBe('Your profile · Heartwood');
    await screen.findByRole('heading', { level: 2, name: 'Photo verification' });
    await screen.findByRole('heading', { level: 2, name: 'Questions' });
    expect(screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toEqual([
      'Ada, 31',
      'Who I want to meet',
      'Photo verification',
      'Questions',
    ]);
    for (const word of ['I count rings.', 'Lisbon, Portugal', 'Something that lasts', '171 cm', 'Portuguese'])
      expect(screen.getByText(word)).toBeVisible();
    expect(screen.getByRole('main')).not.toHaveTextContent(/Byron|null|undefined|NaN/);
    expect(screen.getByRole('button', { name: 'Interests' })).toBeVisible();
    expect(screen.queryByRole('meter')).toBeNull();
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
    expect(await screen.findByRole('button', { name: 'Edit About me' })).toBeVisible();
    expect(screen.queryByText(/Who I want to meet/)).toBeNull();
  });
});

describe('the About me part', () => {
  it('is edited in place and updates the header', async () => {
    const { person } = await edit('About me');
    const name = screen.getByLabelText(/^First name/);
    await person.clear(name);
    await person.type(name, 'Augusta');
    expect(screen.getByLabelText('Last name')).not.toBeRequired();
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
    await waitFor(() => expect(screen.getByRole('button', { name: 'Edit About me' })).toHaveFocus());
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
    await screen.findByLabelText(/^First name/);
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
    failWith(
      editProfile,
      new Refusal('INVALID_INPUT', 'Check the fields', { errors: [{ field: 'bio', msg: 'Not these words' }] }),
    );
    await person.type(name, 'Ada');
    await person.click(save());
    const bio = screen.getByLabelText('About you');
    await waitFor(() => expect(bio).toHaveFocus());
    expect(bio).toHaveAccessibleDescription(/^Not these words/);
  });

  it('keeps typed text across a failed save and a reload until canceled', async () => {
    const { person, unmount } = await edit('About me');
    failWith(editProfile, new CutOff());
    await person.type(screen.getByLabelText('About you'), 'Half a thought');
    await person.click(save());
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Network error/);
    unmount();
    const again = await open();
    expect(await screen.findByText('What you typed before is still here. It is not saved yet.')).toBeVisible();
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
    expect(await screen.findByLabelText(/^First name/)).toHaveValue('Augusta');
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
    expect(await screen.findByLabelText('About you')).toHaveValue('The same thought');
    expect(screen.queryByText('What you typed before is still here. It is not saved yet.')).toBeNull();
  });
});

describe('the member’s pictures', () => {
  const pictures = [ownProfilePicture('one'), ownPicture('two', { state: 'pending' })];

  it('are changed in a dialog that the large one opens', async () => {
    const { person } = await edit('My pictures', ownUser({ pictures }));
    const section = () => within(screen.getByRole('dialog', { name: 'My pictures' }));
    expect(section().getByText(/^No one under 18/)).toBeVisible();
    await person.click(await section().findByRole('button', { name: 'Make profile picture: picture 2' }));
    await waitFor(() => expect(received(orderPictures)[0]?.body.publicIds).toEqual(['two', 'one'].map(pictureId)));
    expect(await section().findByRole('img', { name: 'My profile picture' })).toHaveAttribute(
      'src',
      '/api/v1/media/two-400',
    );
  });

  it('are open when another app shared some', async () => {
    serveOwnProfile(ownUser({ pictures }));
    renderApp('/app/profile?add=shared', ownUser());
    expect(await screen.findByRole('dialog', { name: 'My pictures' })).toBeVisible();
  });

  it('are still being added, or have failed, when their dialog is closed', async () => {
    vi.spyOn(HTMLImageElement.prototype, 'src', 'set').mockImplementation(function (this: HTMLImageElement) {
      this.dispatchEvent(new Event('error'));
    });
    const { person } = await edit('My pictures', ownUser({ pictures }));
    await person.upload(await screen.findByLabelText('Add pictures'), new File(['x'], 'me.png', { type: 'image/png' }));
    await screen.findByText(/^This file can't be opened as a picture/);
    await person.click(screen.getByRole('button', { name: 'Close dialog' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await person.click(screen.getByRole('button', { name: 'Edit My pictures' }));
    expect(screen.getByText(/^This file can't be opened as a picture/)).toBeVisible();
  });

  it('leave the profile incomplete when the last one is deleted', async () => {
    const { person } = await edit('My pictures', ownUser({ pictures: [ownProfilePicture('one')] }));
    await person.click(await screen.findByRole('button', { name: 'Delete picture 1' }));
    await person.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(await screen.findByText(/missing: a picture\.$/)).toBeVisible();
  });
});

describe('the card', () => {
  const main = () => within(screen.getByRole('main'));

  it('opens the form of the part that is clicked, once for the keyboard', async () => {
    const { person } = await open(
      ownUser({ goal: 'friendship', smoking: 'never', interests: ['hiking', 'tea'], bio: 'مرحبا' }),
    );
    expect(screen.getByText('مرحبا')).toHaveAttribute('dir', 'auto');
    expect(screen.getAllByRole('button', { name: /^Edit/ }).map((button) => button.getAttribute('aria-label'))).toEqual(
      [
        'My pictures',
        'About me',
        "What I'm looking for, and how I live",
        'Where I live',
        'Interests',
        'Who I want to meet',
      ].map((part) => `Edit ${part}`),
    );
    const smoking = screen.getByText("Doesn't smoke").closest('li') as HTMLElement;
    await person.click(within(smoking).getByRole('button', { hidden: true }));
    expect(await screen.findByRole('dialog', { name: "What I'm looking for, and how I live" })).toBeVisible();
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await person.click(screen.getByRole('button', { name: 'In my own words' }));
    expect(await screen.findByRole('dialog', { name: 'In my own words' })).toBeVisible();
  });

  it('leaves out empty fields and hidden times', async () => {
    await open(ownUser({ gender: null, age: null, location: null, settings: { showLastActive: false } }));
    expect(screen.getByRole('heading', { level: 2, name: 'Ada' })).toBeVisible();
    expect(screen.getByRole('main')).not.toHaveTextContent(/null|undefined|NaN|Never|Online|Last active|Smoking/);
  });

  it('shows only approved pictures, and says why others are missing', async () => {
    const other = (['pending', 'rejected'] as const).map((state) => ownPicture(state, { state }));
    await open(ownUser({ pictures: [ownProfilePicture('one'), ...other] }));
    expect(main().getByRole('img', { name: 'Picture of Ada' })).toHaveAttribute('src', '/api/v1/media/one-400');
    expect(main().getByText('Pictures waiting for review are not shown yet.')).toBeVisible();
    expect(main().getByText('A picture was not accepted. Open your pictures to see why.')).toBeVisible();
  });
});
