import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { getMedia } from '#contract/media.ts';
import { uploadMessageMedia } from '#contract/messages/message-media.ts';
import { listMessages, sendMessage } from '#contract/messages/messages.ts';
import {
  message,
  openConversation,
  ownMessage,
  serveConversations,
  shownMessages,
} from '../../../test/fixtures/conversations.ts';
import { failures, giveSound, sounds } from '../../../test/fixtures/voice.ts';
import { CutOff, failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { replaceProperty } from '../../../test/replaced.ts';
import { passTime, simulateTime } from '../../../test/time.ts';

const voiceId = 'v'.repeat(22);
const address = `/api/v1/media/chat-1.voice?for=me&until=9&sig=${voiceId}`;
const voice = { _id: voiceId, url: address, durationMs: 12_000, peaks: [0, 50, 100] };
const button = (name: string | RegExp) => screen.findByRole('button', { name });
const panel = () => screen.queryByRole('group', { name: 'Voice message' });
const silenceText = "There's no sound. Check that your microphone isn't muted.";
const bothWrote = () => serveConversations({ Bo: [message(1), ownMessage(2)] });

async function openRecorder() {
  const { person } = await openConversation();
  const microphone = await button('Record a voice message');
  microphone.focus();
  await person.keyboard('{Enter}');
  await waitFor(() => expect(panel()).toBeVisible());
  return { person, microphone };
}

async function record() {
  simulateTime();
  serve(uploadMessageMedia, () => ({ data: { _id: voiceId } }));
  const opened = await openRecorder();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Stop recording' })).toHaveFocus());
  await passTime(250);
  await opened.person.keyboard('{Enter}');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Send' })).toHaveFocus());
  return opened;
}

describe('recording a voice message', () => {
  it('is offered once both have written', async () => {
    giveSound();
    serveConversations({ Bo: [message(1)] });
    await openConversation();
    expect(screen.queryByRole('button', { name: 'Record a voice message' })).toBeNull();
  });

  it('records, plays, and sends it with a caption, by keyboard alone', async () => {
    const track = giveSound();
    bothWrote();
    const { person } = await record();
    expect([track.isOn, panel()]).toEqual([false, null]);
    await person.click(
      within(screen.getByRole('group', { name: 'Your recording' })).getByRole('button', { name: 'Play' }),
    );
    expect(await button('Pause')).toBeVisible();
    await person.type(screen.getByRole('textbox', { name: 'Add a caption' }), 'Listen!');
    await person.click(await button('Send'));
    expect(screen.queryByRole('group', { name: 'Your recording' })).toBeNull();
    expect(await button('Record a voice message')).toHaveFocus();
    await waitFor(() => expect(received(sendMessage)).toHaveLength(1));
    const [uploaded] = received(uploadMessageMedia);
    expect(uploaded?.query).toMatchObject({ kind: 'voice', peaks: expect.stringMatching(/^\d+(,\d+)*$/) as string });
    expect(await uploaded?.file?.text()).toBe('sound');
    expect(received(sendMessage)[0]?.body).toMatchObject({ text: 'Listen!', voice: voiceId });
  });

  it('stops when the button is released after a while, and continues after a short press', async () => {
    simulateTime();
    giveSound();
    bothWrote();
    await openConversation();
    fireEvent.pointerDown(await button('Record a voice message'), { button: 0, clientX: 50, clientY: 50 });
    expect(await screen.findByText(/^Let go to listen/)).toBeVisible();
    await passTime(450);
    fireEvent.lostPointerCapture(await button('Record a voice message'));
    fireEvent.click(await button('Discard'));
    const microphone = await button('Record a voice message');
    fireEvent.pointerDown(microphone, { button: 0, clientX: 50, clientY: 50 });
    fireEvent.lostPointerCapture(microphone);
    expect(await button('Stop recording')).toBeVisible();
  });

  it('keeps recording after a slide up, and cancels after a slide to the side and with Esc', async () => {
    const track = giveSound();
    bothWrote();
    const { person } = await openConversation();
    const microphone = await button('Record a voice message');
    const hold = async (clientX: number, clientY: number) => {
      fireEvent.pointerDown(microphone, { button: 0, clientX: 200, clientY: 200 });
      await screen.findByText(/^Let go to listen/);
      fireEvent.pointerMove(microphone, { clientX, clientY });
      fireEvent.lostPointerCapture(microphone);
    };
    await hold(200, 100);
    expect(await button('Stop recording')).toBeVisible();
    await person.keyboard('{Escape}');
    expect([panel(), track.isOn]).toEqual([null, false]);
    await hold(100, 200);
    expect(panel()).toBeNull();
    expect(screen.queryByRole('group', { name: 'Your recording' })).toBeNull();
  });

  it.each([
    ['the microphone was refused', new DOMException('no', 'NotAllowedError'), /Allow it for this site/],
    ['there is no microphone', new DOMException('no', 'NotFoundError'), /Check that a microphone is connected/],
  ])('shows what to do if %s, and allows another try', async (_, error, text) => {
    giveSound(error);
    bothWrote();
    const { person } = await openRecorder();
    expect(await screen.findByText(text)).toBeVisible();
    giveSound();
    await person.click(await button('Try again'));
    expect(await button('Stop recording')).toBeVisible();
  });

  it.each(['the recorder cannot be created', 'the recorder does not start'] as const)(
    'releases the microphone if %s',
    async (failure) => {
      const track = giveSound();
      failures[failure]();
      bothWrote();
      await openRecorder();
      expect(await screen.findByText(/We couldn't record/)).toBeVisible();
      expect(track.isOn).toBe(false);
    },
  );

  it('releases the microphone if permission arrives only after Cancel', async () => {
    const track = giveSound();
    const { mediaDevices } = navigator;
    let allow = () => undefined as void;
    const allowed = new Promise<void>((resolve) => (allow = resolve));
    replaceProperty(navigator, 'mediaDevices', {
      getUserMedia: async () => await allowed.then(() => mediaDevices.getUserMedia()),
    });
    bothWrote();
    const { person } = await openRecorder();
    await person.click(await button('Cancel'));
    expect(panel()).toBeNull();
    allow();
    await waitFor(() => expect(track.isOn).toBe(false));
  });

  it.each(['there are too many meters', 'the meter has another sample rate', 'the meter is suspended'] as const)(
    'records without a waveform if %s',
    async (failure) => {
      const track = giveSound();
      failures[failure]();
      bothWrote();
      const { person } = await record();
      expect(screen.queryByText(silenceText)).toBeNull();
      await person.click(await button('Send'));
      await waitFor(() => expect(received(sendMessage)).toHaveLength(1));
      expect(received(uploadMessageMedia)[0]?.query.peaks).toMatch(/^0(,0)*$/);
      expect(track.isOn).toBe(false);
    },
  );

  it.each([
    ['the microphone hears nothing', 0, false],
    ['the system has muted the microphone', 0.1, true],
  ])('shows that there is no sound if %s', async (_, sound, muted) => {
    simulateTime();
    const track = giveSound();
    bothWrote();
    await openRecorder();
    await button('Stop recording');
    vi.setTimerTickMode('manual');
    giveSound(null, sound);
    await passTime(1000);
    expect(screen.queryByText(silenceText)).toBeNull();
    track.muted = muted;
    await passTime(2500);
    expect(screen.getByText(silenceText)).toBeVisible();
  });

  it('shows that a short recording has no sound', async () => {
    giveSound(null, 0);
    bothWrote();
    await record();
    expect(screen.getByText(silenceText)).toBeVisible();
  });

  it('stops a message that is playing, and ends when a message is played', async () => {
    giveSound();
    serve(getMedia, () => 'sound');
    serveConversations({ Bo: [ownMessage(1), message(2, { text: 'Listen', voice })] });
    const { person } = await openConversation();
    await person.click(await button('Play'));
    const pause = await button('Pause');
    (await button('Record a voice message')).focus();
    await person.keyboard('{Enter}');
    await button('Stop recording');
    expect(pause).toHaveAccessibleName('Play');
    await person.click(pause);
    expect(await button('Send')).toBeVisible();
  });

  it("shows that the browser can't record", async () => {
    giveSound();
    vi.stubGlobal('MediaRecorder', undefined);
    bothWrote();
    await openRecorder();
    expect(await screen.findByText("This browser can't record voice messages.")).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  it('keeps it offline, and shows why it was refused', async () => {
    giveSound();
    bothWrote();
    const { person } = await record();
    failWith(uploadMessageMedia, new CutOff('offline'));
    await person.click(await button('Send'));
    expect(await screen.findByText(/We'll send it as soon as you're back online/)).toBeVisible();
    expect(await screen.findByRole('group', { name: /^Your voice message, 0:0\d$/ })).toBeVisible();
    failWith(uploadMessageMedia, new Refusal('VOICE_UNREADABLE', 'This recording is damaged'));
    window.dispatchEvent(new Event('online'));
    expect(await screen.findByText('This recording is damaged')).toBeVisible();
    await person.click(await button('Discard'));
    expect(shownMessages()).toHaveLength(2);
  });
});

describe('a received voice message', () => {
  it('plays, moves by keyboard, and remembers a faster speed', async () => {
    giveSound();
    serve(getMedia, () => 'sound');
    serveConversations({ Bo: [ownMessage(1), message(2, { text: 'Listen', voice })] });
    const { person } = await openConversation();
    const player = within(await screen.findByRole('group', { name: 'Voice message from Bo, 0:12' }));
    expect(player.getByText('New')).toBeVisible();
    await person.click(player.getByRole('button', { name: 'Play' }));
    expect(await player.findByRole('button', { name: 'Pause' })).toBeVisible();
    await waitFor(() => expect(player.queryByText('New')).toBeNull());
    expect(screen.getByText('Listen')).toBeVisible();
    fireEvent.change(player.getByRole('slider', { name: 'Position' }), { target: { value: '7' } });
    expect(player.getByRole('slider')).toHaveAttribute('aria-valuetext', '0:07 of 0:12');
    expect(sounds.at(-1)?.currentTime).toBe(7);
    await person.click(player.getByRole('button', { name: 'Speed: 1×' }));
    expect(player.getByRole('button', { name: 'Speed: 1.5×' })).toBeVisible();
    expect(sounds.at(-1)?.playbackRate).toBe(1.5);
    await person.click(player.getByRole('button', { name: 'Pause' }));
    expect(player.getByRole('button', { name: 'Play' })).toBeVisible();
  });

  it('moves from left to right even in right-to-left languages', async () => {
    serveConversations({ Bo: [ownMessage(1), message(2, { voice })] });
    await openConversation();
    expect(await screen.findByRole('slider', { name: 'Position' })).toHaveAttribute('dir', 'ltr');
  });

  it('stops when another one plays', async () => {
    giveSound();
    serve(getMedia, () => 'sound');
    const other = { ...voice, _id: 'w'.repeat(22), durationMs: 5000 };
    serveConversations({
      Bo: [ownMessage(1), message(2, { text: '', voice }), message(3, { text: '', voice: other })],
    });
    const { person } = await openConversation();
    const [first, second] = await screen.findAllByRole('button', { name: 'Play' });
    if (first === undefined || second === undefined) throw new Error('there are two');
    await person.click(first);
    await button('Pause');
    await person.click(second);
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'Pause' })).toHaveLength(1));
    expect(first).toHaveAccessibleName('Play');
  });

  it('requests a new address if its own has expired, and shows if that fails', async () => {
    giveSound();
    const known = serveConversations({ Bo: [ownMessage(1), message(2, { text: '', voice })] });
    const { person } = await openConversation();
    known.messages['match-bo'] = [
      ownMessage(1),
      message(2, { text: '', voice: { ...voice, url: address.replace('until=9', 'until=99') } }),
    ];
    serve(getMedia, ({ query }) => {
      if (query.until === '9') throw new Refusal('NOT_FOUND', 'Not found');
      return 'sound';
    });
    await person.click(await button('Play'));
    expect(await button('Pause')).toBeVisible();
    expect(received(listMessages).at(-1)?.query).toMatchObject({ after: 1, limit: 1 });
    await person.click(await button('Pause'));
  });

  it('can be retried when it did not load', async () => {
    giveSound();
    failWith(getMedia, new Refusal('NOT_FOUND', 'Not found'));
    serveConversations({ Bo: [ownMessage(1), message(2, { text: '', voice })] });
    const { person } = await openConversation();
    await person.click(await button('Play'));
    expect(await screen.findByRole('alert')).toHaveTextContent("Couldn't play this.");
    serve(getMedia, () => 'sound');
    await person.click(await button('Play'));
    expect(await button('Pause')).toBeVisible();
  });

  it('appears as one line in the list of conversations', async () => {
    serveConversations({ Bo: [ownMessage(1), message(2, { text: '', voice })] });
    await openConversation();
    expect(await screen.findByRole('link', { name: /Bo.*🎤 Voice message/ })).toBeVisible();
  });
});
