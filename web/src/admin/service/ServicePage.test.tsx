import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Invitation, listInvitations, makeInvitation, revokeInvitation } from '#contract/service/invitations.ts';
import {
  bringServiceBack,
  changeService,
  getService,
  type Service,
  uploadBrandPicture,
} from '#contract/service/service.ts';
import { allParts } from '#contract/service/parts.ts';
import { usualSettings } from '#contract/service/settings.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { showBrand } from '../../brand.ts';
import { loadTexts, speak } from '../../ui/text/catalogues.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp, serviceConfig } from '../../../test/render-app.tsx';

let service: Service;
let invitations: Invitation[];
beforeEach(() => {
  invitations = [];
  const saved = { by: 'Olga Own', broughtBack: null, isBroken: false, savedAt: '2026-06-01T08:00:00.000Z' };
  service = {
    version: 2,
    settings: usualSettings,
    versions: [
      { ...saved, version: 2 },
      { ...saved, version: 1 },
    ],
    configured: { supportEmail: 'help@example.test', legalEntity: 'Example Ltd' },
  };
  serve(getService, () => ({ data: service }));
  serve(listInvitations, () => ({ data: { invitations } }));
  serve(changeService, ({ body }) => {
    service = { ...service, version: body.version + 1, settings: body.settings };
    return { data: { version: service.version } };
  });
});

const nameField = () => screen.findByRole('textbox', { name: /^Name of the service/ });

/** The page in front of an administrator, whose config has the brand that was saved. */
async function open() {
  const brandNow = () => ({
    name: service.settings.brand.name,
    language: service.settings.brand.language,
    colours: null,
    logo: null,
    icon: null,
    legalEntity: null,
  });
  const { person } = renderApp('/service', administrator(), undefined, () => serviceConfig({ brand: brandNow() }));
  await nameField();
  return person;
}

describe('/service', () => {
  it('saves a brand for everyone, which this page shows at once', async () => {
    const person = await open();
    const name = await nameField();
    await person.clear(name);
    await person.type(name, 'Kastanie');
    expect(within(screen.getByRole('figure', { name: 'Preview' })).getAllByText('Kastanie')).toHaveLength(2);
    await person.click(screen.getByRole('button', { name: 'Save for everyone' }));
    await waitFor(() => expect(document.title).toBe('Service · Kastanie'));
    const banner = within(screen.getByRole('banner'));
    expect(banner.getAllByText('Kastanie').length).toBeGreaterThan(0);
    const brand = { ...usualSettings.brand, name: 'Kastanie' };
    expect(received(changeService)[0]?.body).toEqual({ version: 2, settings: { ...usualSettings, brand } });
    await waitFor(() => expect(screen.queryByText('Not saved yet')).toBe(null));
  });

  it('saves the first language, which then leads the languages of every text', async () => {
    const person = await open();
    await person.selectOptions(screen.getByRole('combobox', { name: /^First language/ }), 'de');
    await person.click(screen.getByRole('radio', { name: 'No one for now' }));
    const choices = () =>
      within(screen.getByRole('combobox', { name: 'Language of the text' }))
        .getAllByRole<HTMLOptionElement>('option')
        .map(({ value }) => value);
    expect(choices().slice(0, 2)).toEqual(['en', 'de']);
    await person.click(screen.getByRole('button', { name: 'Save for everyone' }));
    await waitFor(() => expect(choices().slice(0, 3)).toEqual(['de', 'en', 'es']));
    expect(received(changeService)[0]?.body.settings.brand.language).toBe('de');
    act(() => showBrand(serviceConfig().brand));
  });

  it('shows the new name in texts that are on the screen', async () => {
    renderApp('/app/sign-in');
    expect(await screen.findByRole('link', { name: 'Join Heartwood' })).toBeVisible();
    act(() => showBrand({ ...serviceConfig().brand, name: 'Kastanie' }));
    expect(screen.getByRole('link', { name: 'Join Kastanie' })).toBeVisible();
    act(() => showBrand(serviceConfig().brand));
  });

  it('keeps the edits when someone else has saved meanwhile', async () => {
    failWith(changeService, new Refusal('CONFLICT', 'Someone else has changed the service meanwhile.'));
    const person = await open();
    await person.type(await nameField(), '!');
    await person.click(screen.getByRole('button', { name: 'Save for everyone' }));
    expect(await screen.findByText(/Someone else has changed the service/)).toBeVisible();
    expect(await nameField()).toHaveValue('Heartwood!');
    await person.click(screen.getByRole('button', { name: 'Discard' }));
    expect(await nameField()).toHaveValue('Heartwood');
  });

  it('offers the nearest color that can be read', async () => {
    const person = await open();
    await person.click(screen.getByRole('checkbox', { name: 'Own colors' }));
    const light = screen.getByRole('textbox', { name: 'In the light scheme' });
    await person.clear(light);
    await person.type(light, '#f2b632');
    expect(screen.getByText('Text in this color is hard to read.')).toBeVisible();
    await person.click(screen.getByRole('button', { name: /Use the nearest/ }));
    expect(light).not.toHaveValue('#f2b632');
    expect(screen.queryByText('Text in this color is hard to read.')).toBe(null);
  });

  it('names an empty field instead of sending it', async () => {
    const person = await open();
    await person.clear(await nameField());
    await person.click(screen.getByRole('button', { name: 'Save for everyone' }));
    expect(await nameField()).toHaveAccessibleDescription(/required/);
    expect(received(changeService)).toEqual([]);
  });

  it('uploads a logo, and explains why one is refused', async () => {
    serve(uploadBrandPicture, () => ({ data: { picture: 'b'.repeat(64) } }));
    const person = await open();
    const file = () => new File(['<svg/>'], 'logo.svg', { type: 'image/svg+xml' });
    await person.upload(screen.getByLabelText('File for: Logo'), file());
    expect(await screen.findByRole('img', { name: 'Logo' })).toHaveAttribute('src', `/brand/${'b'.repeat(64)}.png`);
    failWith(uploadBrandPicture, new Refusal('PICTURE_REFUSED', 'This SVG contains a script.'));
    await person.upload(screen.getByLabelText('File for: Icon'), file());
    expect(await screen.findByText('This SVG contains a script.')).toBeVisible();
  });

  it('keeps what is edited while a picture is on its way and while the page saves', async () => {
    let [uploaded, saved] = [() => {}, () => {}];
    const picture = 'b'.repeat(64);
    serve(uploadBrandPicture, () => new Promise((resolve) => (uploaded = () => resolve({ data: { picture } }))));
    serve(changeService, ({ body: { version, settings } }) => {
      service = { ...service, version: version + 1, settings };
      return new Promise((resolve) => (saved = () => resolve({ data: { version: version + 1 } })));
    });
    const person = await open();
    await person.upload(
      screen.getByLabelText('File for: Logo'),
      new File(['<svg/>'], 'logo.svg', { type: 'image/svg+xml' }),
    );
    await person.type(await nameField(), '!');
    await person.click(screen.getByRole('button', { name: 'Save for everyone' }));
    await person.upload(
      screen.getByLabelText('File with interests and prompts'),
      new File(['# Interests\n## Tyrol\nalpine huts\n'], 'lists.txt'),
    );
    expect(await screen.findByText('New: alpine huts')).toBeVisible();
    await waitFor(() => expect(received(changeService)).toHaveLength(1));
    saved();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save for everyone' })).toBeVisible());
    await waitFor(() => expect(received(uploadBrandPicture)).toHaveLength(1));
    uploaded();
    expect(await screen.findByRole('img', { name: 'Logo' })).toBeVisible();
    expect(screen.getByText('Not saved yet')).toBeVisible();
    expect(await nameField()).toHaveValue('Heartwood!');
    await person.click(screen.getByRole('button', { name: 'Save for everyone' }));
    await waitFor(() => expect(received(changeService).map(({ body }) => body.version)).toEqual([2, 3]));
    expect(received(changeService)[1]?.body.settings).toMatchObject({
      brand: { name: 'Heartwood!', logo: picture },
      lists: { interests: [{ key: 'Tyrol' }] },
    });
  });

  it('counts the wrong lines of a file that it does not name, and forgets them with the draft', async () => {
    const person = await open();
    await person.type(await nameField(), '!');
    const file = new File(['# Interests\n', ...Array.from({ length: 25 }, () => 'hiking\n')], 'lists.txt');
    await person.upload(screen.getByLabelText('File with interests and prompts'), file);
    expect(await screen.findByText('and 5 more lines')).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Discard' }));
    expect(screen.queryByText('and 5 more lines')).toBe(null);
    expect(await nameField()).toHaveValue('Heartwood');
  });

  it('begins with the language of the reader where there is no text yet', async () => {
    const person = await open();
    await loadTexts('staff');
    await act(() => speak('de'));
    await person.click(await screen.findByRole('radio', { name: 'Vorerst niemand' }));
    expect(screen.getByRole('combobox', { name: 'Sprache des Textes' })).toHaveValue('de');
  });

  it('closes registration with a sentence in each language', async () => {
    const person = await open();
    await person.click(screen.getByRole('radio', { name: 'No one for now' }));
    await person.type(screen.getByRole('textbox', { name: 'Why not everyone can join' }), 'In June.');
    await person.selectOptions(screen.getByRole('combobox', { name: 'Language of the text' }), 'de');
    await person.type(screen.getByRole('textbox', { name: 'Why not everyone can join' }), 'Im Juni.');
    await person.click(screen.getByRole('radio', { name: 'The landing page' }));
    await person.click(screen.getByRole('button', { name: 'Save for everyone' }));
    await waitFor(() =>
      expect(received(changeService)[0]?.body.settings).toMatchObject({
        frontDoor: 'landing',
        registration: { ...usualSettings.registration, mode: 'closed', sentence: { en: 'In June.', de: 'Im Juni.' } },
      }),
    );
  });

  it('shows a banner before it is saved, and names what is missing', async () => {
    const person = await open();
    await person.click(screen.getByRole('checkbox', { name: 'Show a banner' }));
    await person.click(screen.getByRole('radio', { name: 'Maintenance' }));
    await person.click(screen.getByRole('radio', { name: 'Members and staff' }));
    await person.click(screen.getByRole('button', { name: 'Save for everyone' }));
    const text = screen.getByRole('textbox', { name: 'Text of the banner' });
    expect(text).toHaveAccessibleDescription(/required/);
    await person.type(text, 'Closed tonight.');
    expect(
      within(screen.getByRole('figure', { name: 'Preview of the banner' })).getByText('Closed tonight.'),
    ).toBeVisible();
    fireEvent.change(screen.getByLabelText(/^Start/), { target: { value: '2026-06-02T08:00' } });
    fireEvent.change(screen.getByLabelText(/^End/), { target: { value: '2026-06-01T08:00' } });
    await person.click(screen.getByRole('button', { name: 'Save for everyone' }));
    expect(screen.getByLabelText(/^End/)).toHaveAccessibleDescription(/after the start/);
    fireEvent.change(screen.getByLabelText(/^End/), { target: { value: '2026-06-03T08:00' } });
    await person.click(screen.getByRole('button', { name: 'Save for everyone' }));
    await waitFor(() =>
      expect(received(changeService)[0]?.body.settings.banner).toEqual({
        kind: 'maintenance',
        audience: 'both',
        startsAt: new Date('2026-06-02T08:00').toISOString(),
        endsAt: new Date('2026-06-03T08:00').toISOString(),
        text: { en: 'Closed tonight.' },
      }),
    );
  });

  it('saves the minimum age, of which 18 is the lowest', async () => {
    const person = await open();
    const age = screen.getByRole('combobox', { name: /^Minimum age/ });
    expect([age, ...within(age).getAllByRole('option')].map((one) => (one as HTMLOptionElement).value)).toEqual([
      '18',
      ...Array.from({ length: 82 }, (_, more) => String(18 + more)),
    ]);
    await person.selectOptions(age, '50');
    await person.click(screen.getByRole('button', { name: 'Save for everyone' }));
    await waitFor(() => expect(received(changeService)[0]?.body.settings.registration.minimumAge).toBe(50));
  });

  it('saves four figures of the owner in each language', async () => {
    const person = await open();
    await person.click(screen.getByRole('radio', { name: 'Own words' }));
    await person.type(screen.getByRole('textbox', { name: 'Figure 1' }), '7');
    await person.click(screen.getByRole('button', { name: 'Save for everyone' }));
    const words = screen.getByRole('textbox', { name: 'Words below figure 1' });
    expect(words).toHaveAccessibleDescription(/required/);
    await person.type(words, 'Towns');
    expect(within(screen.getByRole('figure', { name: 'Preview of the figures' })).getByText('Towns')).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Save for everyone' }));
    const none = { value: '', label: '' };
    await waitFor(() =>
      expect(received(changeService)[0]?.body.settings.figures).toEqual({
        source: 'own',
        own: { en: [{ value: '7', label: 'Towns' }, none, none, none] },
      }),
    );
  });

  it('switches parts of the service off, and shows where texts still mention them', async () => {
    const person = await open();
    expect(screen.getByText(/the privacy policy and the terms still name it/)).toBeVisible();
    await person.click(screen.getByRole('checkbox', { name: 'Voice messages' }));
    await person.click(screen.getByRole('checkbox', { name: 'Dates' }));
    await person.click(screen.getByRole('button', { name: 'Save for everyone' }));
    await waitFor(() =>
      expect(received(changeService)[0]?.body.settings.parts).toEqual({ ...allParts, voice: false, dates: false }),
    );
  });

  it('loads interests and prompts from a file, shows what changes, and saves them', async () => {
    const person = await open();
    const load = (text: string) =>
      person.upload(screen.getByLabelText('File with interests and prompts'), new File([text], 'lists.txt'));
    await load('# Interests\n## Tyrol\nhuts, inns\n');
    expect(await screen.findByText('Line 3: An interest has no comma in its name')).toBeVisible();
    expect(screen.queryByText('Not saved yet')).toBe(null);
    await load('# Interests\n## Tyrol\nalpine huts | de: Almhütten\nhiking | de: Bergwandern\n');
    expect(await screen.findByText('New: alpine huts')).toBeVisible();
    expect(screen.getByText(/^No longer offered: climbing, cycling, /)).toBeVisible();
    expect(screen.getByText('In other words: hiking')).toBeVisible();
    expect(screen.getByText('2 interests and 24 prompts')).toBeVisible();
    expect(screen.queryByText(/^Line 3/)).toBe(null);
    await person.click(screen.getByRole('button', { name: 'Save for everyone' }));
    const entries = [
      { key: 'alpine huts', words: { de: 'Almhütten' } },
      { key: 'hiking', words: { de: 'Bergwandern' } },
    ];
    await waitFor(() =>
      expect(received(changeService)[0]?.body.settings.lists).toEqual({
        interests: [{ key: 'Tyrol', words: {}, entries }],
        prompts: null,
        gone: [],
      }),
    );
    await person.click(await screen.findByRole('button', { name: 'Use the usual lists' }));
    expect(screen.getByText('No longer offered: alpine huts')).toBeVisible();
  });

  it('creates invitations, shows who used them, and ends them', async () => {
    const invitation = (changes: Partial<Invitation> = {}): Invitation => ({
      _id: 'one',
      link: 'https://dating.example/app/join#invitation=abc',
      note: 'For the choir',
      most: 5,
      uses: 1,
      endsAt: '2099-06-01T08:00:00.000Z',
      madeAt: '2026-06-01T08:00:00.000Z',
      by: 'Olga Own',
      isRevoked: false,
      people: [{ _id: 'ada', name: 'Ada L', usedAt: '2026-06-02T08:00:00.000Z' }],
      ...changes,
    });
    serve(makeInvitation, () => {
      invitations = [invitation()];
      return { data: { link: invitation().link } };
    });
    serve(revokeInvitation, () => {
      invitations = [invitation({ isRevoked: true })];
      return {};
    });
    const person = await open();
    await person.click(screen.getByRole('button', { name: 'Make an invitation' }));
    const dialog = within(await screen.findByRole('dialog'));
    await person.type(dialog.getByRole('textbox', { name: 'Who is it for?' }), 'For the choir');
    await person.click(dialog.getByRole('button', { name: 'Make' }));
    expect(await screen.findByText('https://dating.example/app/join#invitation=abc')).toBeVisible();
    expect(received(makeInvitation)[0]?.body).toEqual({ note: 'For the choir', most: 10, days: 30 });
    expect(screen.getByRole('link', { name: 'Ada L' })).toHaveAttribute('href', '/users/ada');
    await person.click(screen.getByRole('button', { name: 'End: For the choir' }));
    expect(await screen.findByText('Ended')).toBeVisible();
  });

  it('restores an earlier version', async () => {
    serve(bringServiceBack, () => ({ data: { version: 3 } }));
    const person = await open();
    await person.click(screen.getByRole('button', { name: 'Bring back: Version 1' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Bring version 1 back?' }));
    await person.click(dialog.getByRole('button', { name: 'Bring back' }));
    await waitFor(() => expect(received(bringServiceBack)[0]?.body).toEqual({ version: 2, back: 1 }));
  });

  it('redirects everyone else', async () => {
    renderApp('/service', moderator());
    await waitFor(() => expect(currentAddress()).toBe('/dashboard'));
  });
});
