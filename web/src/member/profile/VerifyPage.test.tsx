import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  drawPose,
  selfieTermsVersion,
  type PhotoVerification,
  sendSelfies,
  setFirstContact,
  uploadSelfie,
  withdrawSelfies,
} from '#contract/photo-verification.ts';
import { received } from '../../../test/fake-server.ts';
import { administrator, ownUser } from '../../../test/fixtures/people.ts';
import { ownSelfie, servePhotoVerification } from '../../../test/fixtures/photo-verification.ts';
import { serveSettings } from '../../../test/fixtures/own-settings.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { replaceProperty } from '../../../test/replaced.ts';

const selfie = (name: string) => new File([name], `${name}.jpg`, { type: 'image/jpeg' });
const button = (name: string | RegExp) => screen.findByRole('button', { name });

beforeEach(() => {
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:picture');
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
});

function open(state: Partial<PhotoVerification> = {}) {
  servePhotoVerification(state);
  return renderApp('/app/verify', ownUser());
}

/** Chooses a file in place of a picture from the camera. */
async function choose(person: ReturnType<typeof open>['person'], file: File) {
  await button('Upload a picture');
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (input === null) throw new Error('no field for files');
  await person.upload(input, file);
}

describe('the page for photo verification', () => {
  it('shows who sees the selfies and when they are deleted before it asks for them', async () => {
    open();
    expect(await screen.findByText(/Other members never see the selfies/)).toBeVisible();
    expect(screen.getByText(/We delete them within a minute of the decision/)).toBeVisible();
    for (const name of ['I wear a veil or a mask', 'My looks have changed', 'I am trans or non-binary'])
      expect(screen.getByRole('button', { name })).toBeVisible();
    expect(received(drawPose)).toHaveLength(0);
  });

  it('takes both pictures, shows them, and sends them once', async () => {
    const { person } = open();
    await person.click(await button('Agree and start'));
    expect(await screen.findByRole('heading', { name: 'Look into the camera' })).toBeVisible();
    await choose(person, selfie('front'));
    expect(await screen.findByRole('heading', { name: 'Hold one thumb up beside your face' })).toBeVisible();
    await choose(person, selfie('posed'));
    expect(await screen.findByRole('img', { name: 'Look into the camera' })).toBeVisible();
    expect(received(uploadSelfie).map(({ params, file }) => [params.shot, file?.name])).toEqual([
      ['front', 'front.jpg'],
      ['posed', 'posed.jpg'],
    ]);
    await person.click(await button('Send for review'));
    expect(await screen.findByText(/usually within a day/)).toBeVisible();
    expect(received(sendSelfies)).toHaveLength(1);
  });

  it('lets members retake a picture, request another pose, and cancel', async () => {
    const { person } = open({ check: ownSelfie({ shots: ['front'] }) });
    // A picture taken before this page was opened can't be seen here, so it is taken again.
    expect(await screen.findByRole('heading', { name: 'Look into the camera' })).toBeVisible();
    await choose(person, selfie('front'));
    await person.click(await button("I can't do this pose"));
    expect(await screen.findByRole('heading', { name: 'Look up, away from the camera' })).toBeVisible();
    expect(received(drawPose).map(({ body }) => body)).toEqual([{ agreedTo: selfieTermsVersion, another: true }]);
    await choose(person, selfie('posed'));
    await person.click(await button('Retake picture 1'));
    await choose(person, selfie('better'));
    await waitFor(() => expect(received(uploadSelfie).at(-1)).toMatchObject({ params: { shot: 'front' } }));
    await person.click(await button('Cancel and delete'));
    await button('Agree and start');
    expect(received(withdrawSelfies)).toHaveLength(1);
  });

  it('turns off each opened camera, even if the page was left before', async () => {
    const tracks = [0, 1].map(() => ({
      isOn: true,
      stop() {
        this.isOn = false;
      },
    }));
    const opened: (() => void)[] = [];
    replaceProperty(HTMLMediaElement.prototype, 'srcObject', null);
    replaceProperty(navigator, 'mediaDevices', {
      getUserMedia: () =>
        new Promise((resolve) => {
          const track = tracks[opened.length];
          opened.push(() => resolve({ getTracks: () => [track] }));
        }),
    });
    const { person, unmount } = open();
    await person.click(await button('Agree and start'));
    await person.click(await button('Open camera'));
    await person.click(await button('Open camera'));
    opened[0]?.();
    await button('Take picture');
    unmount();
    opened[1]?.();
    await waitFor(() => expect(tracks).toMatchObject([{ isOn: false }, { isOn: false }]));
  });

  it('offers to upload a picture if there is no camera', async () => {
    const { person } = open({ check: ownSelfie() });
    await person.click(await button('Open camera'));
    expect(await screen.findByText(/We can't use the camera/)).toBeVisible();
    expect(await button('Upload a picture')).toBeVisible();
  });

  it('can withdraw waiting selfies', async () => {
    const { person } = open({ check: ownSelfie({ state: 'waiting', sendUntil: null, shots: ['front', 'posed'] }) });
    await person.click(await button('Withdraw and delete'));
    await button('Agree and start');
  });

  it.each([
    ['new selfies are needed', { check: ownSelfie({ state: 'again', reason: 'Too dark' }) }, /Too dark/],
    ['they were rejected', { check: ownSelfie({ state: 'rejected' }) }, /did not find the person/],
    ['no one got to them', { check: ownSelfie({ state: 'expired' }) }, /did not get to your selfies/],
    ['the pictures have changed', { isLost: true }, /have changed since you were verified/],
    ['there are no attempts left', { nextAttemptAt: '2025-10-27T10:00:00.000Z' }, /try again on Oct 27, 2025/],
    ['the member is verified', { verifiedAt: '2025-10-01T10:00:00.000Z' }, /Since Oct 1, 2025/],
  ])('explains what comes next when %s', async (_when, state, words) => {
    open(state);
    expect(await screen.findByText(words)).toBeVisible();
  });

  it('is for members only', async () => {
    renderApp('/app/verify', administrator());
    expect(await screen.findByText(/This is for members/)).toBeVisible();
  });
});

describe('the privacy settings', () => {
  it('let members choose who can write first', async () => {
    serveSettings();
    const { person } = renderApp('/app/settings/privacy', ownUser());
    const box = await screen.findByRole('checkbox', { name: /Only photo-verified people can write first/ });
    expect(box).not.toBeChecked();
    await person.click(box);
    await waitFor(() => expect(box).toBeChecked());
    await waitFor(() =>
      expect(received(setFirstContact).map(({ body }) => body)).toEqual([{ onlyVerifiedMayWrite: true }]),
    );
    const panel = await screen.findByRole('region', { name: 'Photo verification' });
    expect(within(panel).getByRole('link', { name: 'Verify my pictures' })).toHaveAttribute('href', '/app/verify');
  });
});
