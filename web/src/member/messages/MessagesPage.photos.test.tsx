import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openPicture, uploadMessageMedia } from '#contract/messages/message-media.ts';
import { listMessages, type MessageView, sendMessage } from '#contract/messages/messages.ts';
import {
  closed,
  message,
  openConversation,
  ownMessage,
  photo,
  serveConversations,
  shownMessages,
} from '../../../test/fixtures/conversations.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { CutOff, failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { dropLeftBehind, watchSessionEnd } from '../../api/session/left-behind.ts';
import { clearSession, keepSession } from '../../api/session/stored-session.ts';

const cacheName = `unsent-${ownUser()._id}`;
/** Whether the member was asked if photos are welcome. */
const askedKey = `device:photo-question:match-bo:${ownUser()._id}`;
const outboxStart = `kept:${ownUser()._id}:outbox:`;
const idOf = (number: number) => `photo-${number}`.padEnd(22, '-');

/** The browser's caches: the names of the entries by cache. */
let caches: Map<string, Map<string, Response>>;

/** The size of each chosen picture. */
let size: { width: number; height: number };

beforeEach(() => {
  caches = new Map();
  size = { width: 4000, height: 3000 };
  const cacheStorage = {
    open: async (name: string) => {
      const entries = caches.get(name) ?? new Map<string, Response>();
      caches.set(name, entries);
      return {
        put: async (key: string, response: Response) => void entries.set(key, response),
        match: async (key: string) => entries.get(key)?.clone(),
        delete: async (key: string) => entries.delete(key),
      };
    },
    keys: async () => [...caches.keys()],
    delete: async (name: string) => caches.delete(name),
  };
  // The browser's functions for pictures, which the test's window lacks.
  class LoadedImage {
    naturalWidth = size.width;
    naturalHeight = size.height;
    listeners = new Map<string, () => void>();
    addEventListener(name: string, listener: () => void) {
      this.listeners.set(name, listener);
    }
    set src(url: string) {
      queueMicrotask(this.listeners.get(url.includes('broken') ? 'error' : 'load') ?? (() => undefined));
    }
    decode = async () => undefined;
  }
  vi.stubGlobal('caches', cacheStorage);
  vi.stubGlobal('Image', LoadedImage);
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${(file as File).name}`);
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    fillRect: () => undefined,
    drawImage: () => undefined,
  } as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function drawn(this: HTMLCanvasElement, done) {
    done(new Blob([`${this.width} x ${this.height}`], { type: 'image/jpeg' }));
  });
  let uploads = 0;
  serve(uploadMessageMedia, () => ({ data: { _id: idOf((uploads += 1)) } }));
  localStorage.setItem(askedKey, 'asked');
});

const bothWrote = (...more: MessageView[]) => ({ Bo: [message(1), ownMessage(2), ...more] });
const picture = (name: string) => new File(['pixels'], name, { type: 'image/jpeg' });

/** Opens the conversation and chooses photos. */
async function choose(...names: string[]) {
  const opened = await openConversation();
  const input = screen.getByLabelText('Photos to send');
  fireEvent.change(input, { target: { files: names.map(picture) } });
  const dialog = within(await screen.findByRole('dialog', { name: 'Send photos to Bo' }));
  await waitFor(() => expect(dialog.queryByText('Preparing…')).toBeNull());
  return { ...opened, dialog };
}
const unsentEntries = () => Object.keys(localStorage).filter((key) => key.startsWith(outboxStart));

describe('the button for photos', () => {
  it('is missing until both have written', async () => {
    serveConversations({ Bo: [ownMessage(1)] });
    await openConversation();
    expect(screen.queryByRole('button', { name: 'Send photos' })).toBeNull();
  });

  it('appears once both have written', async () => {
    serveConversations(bothWrote());
    await openConversation();
    expect(screen.getByRole('button', { name: 'Send photos' })).toBeVisible();
  });
});

describe('sending photos', () => {
  it('uploads them smaller and sends them in order, with the text in the field as caption', async () => {
    const known = serveConversations(bothWrote());
    const { person, field } = await openConversation();
    await person.type(field, 'At the sea');
    fireEvent.change(screen.getByLabelText('Photos to send'), {
      target: { files: [picture('a.jpg'), picture('b.jpg')] },
    });
    const dialog = within(await screen.findByRole('dialog', { name: 'Send photos to Bo' }));
    expect(dialog.getByRole('textbox', { name: 'Caption' })).toHaveValue('At the sea');
    await person.click(await dialog.findByRole('button', { name: 'Send 2 photos' }));
    await waitFor(() => expect(known.messages['match-bo']).toHaveLength(3));
    const [sent] = received(sendMessage);
    expect(sent?.body).toMatchObject({ text: 'At the sea', pictures: [idOf(1), idOf(2)] });
    const [first] = received(uploadMessageMedia);
    expect([first?.query, first?.body.name]).toEqual([{ kind: 'picture' }, 'a.jpg']);
    expect(first?.file?.size).toBe('2048 x 1536'.length);
    expect(field).toHaveValue('');
    expect(screen.queryByRole('dialog')).toBeNull();
    // The file on this device is replaced by the sent picture.
    await waitFor(() => expect(screen.getByRole('img', { name: 'Your photo 1 of 2' })).toBeVisible());
    await waitFor(() => expect([unsentEntries(), [...(caches.get(cacheName)?.keys() ?? [])]]).toEqual([[], []]));
  });

  it('warns that screenshots are possible, and sends photos to be viewed once', async () => {
    serveConversations(bothWrote());
    const { person, dialog } = await choose('a.jpg');
    expect(dialog.getByRole('checkbox', { name: 'View once' })).toHaveAccessibleDescription(
      'They can open it once. Screenshots are still possible.',
    );
    await person.click(dialog.getByRole('checkbox', { name: 'View once' }));
    await person.click(dialog.getByRole('button', { name: 'Send photo' }));
    await waitFor(() => expect(received(sendMessage)[0]?.body).toMatchObject({ isOnce: true, text: '' }));
    expect(await screen.findByText('Photo · They can view it once')).toBeVisible();
  });

  it('leaves out photos beyond six, and removes one with its button', async () => {
    serveConversations(bothWrote());
    const { person, dialog } = await choose('1.jpg', '2.jpg', '3.jpg', '4.jpg', '5.jpg', '6.jpg', '7.jpg');
    expect(dialog.getByText('You can send up to 6 photos at once.')).toBeVisible();
    expect(dialog.queryByRole('button', { name: 'Add photos' })).toBeNull();
    await person.click(dialog.getByRole('button', { name: 'Remove photo 6' }));
    expect(dialog.getByRole('button', { name: 'Remove photo 5' })).toHaveFocus();
    expect(dialog.getByRole('button', { name: 'Send 5 photos' })).toBeEnabled();
    expect(dialog.getByRole('button', { name: 'Add photos' })).toBeVisible();
  });

  it.each(['paste', 'drop'] as const)('opens with photos after a %s in the field', async (way) => {
    serveConversations(bothWrote());
    const { field } = await openConversation();
    const files = [picture('image.png'), new File(['%PDF'], 'a.pdf', { type: 'application/pdf' })];
    const given = way === 'paste' ? 'clipboardData' : 'dataTransfer';
    // Spreadsheets copy cells as text and as a picture.
    fireEvent[way](field, { [given]: { files, types: ['text/plain', 'Files'] } });
    fireEvent[way](field, { [given]: { files: files.slice(1), types: ['Files'] } });
    expect(screen.queryByRole('dialog')).toBeNull();
    fireEvent[way](field, { [given]: { files, types: ['Files'] } });
    const dialog = within(await screen.findByRole('dialog', { name: 'Send photos to Bo' }));
    expect(await dialog.findByRole('button', { name: 'Send photo' })).toBeEnabled();
  });

  it.each([
    [1080, 9000, '983 x 8192'],
    [12_000, 2400, '5400 x 1080'],
    [1080, 2400, '1080 x 2400'],
    [3000, 4000, '1536 x 2048'],
    [150, 32, '150 x 32'],
  ])('keeps the text of a picture with %i × %i pixels readable', async (width, height, drawnAt) => {
    size = { width, height };
    serveConversations(bothWrote());
    const { person, dialog } = await choose('a.jpg');
    await person.click(dialog.getByRole('button', { name: 'Send photo' }));
    await waitFor(() => expect(received(uploadMessageMedia)[0]?.file?.size).toBe(drawnAt.length));
    expect(await received(uploadMessageMedia)[0]?.file?.text()).toBe(drawnAt);
  });

  it.each([
    [400, 8001, /^This picture is too long: one side can be up to 20 times the other/],
    [8001, 400, /^This picture is too long/],
    [500, 31, /^This picture is too small: each side needs at least 32 pixels/],
  ])('shows at a photo with %i × %i pixels why it cannot be sent', async (width, height, text) => {
    size = { width, height };
    serveConversations(bothWrote());
    const { dialog } = await choose('a.jpg');
    expect(dialog.getByRole('alert')).toHaveTextContent(text);
    expect(dialog.getByRole('button', { name: 'Send' })).toBeDisabled();
  });

  it('shows why a file cannot be opened, and sends the others', async () => {
    serveConversations(bothWrote());
    const { person, dialog } = await choose('broken.jpg', 'a.jpg');
    expect(dialog.getByRole('alert')).toHaveTextContent("This file can't be opened as a picture.");
    await person.click(dialog.getByRole('button', { name: 'Send photo' }));
    await waitFor(() => expect(received(sendMessage)[0]?.body.pictures).toHaveLength(1));
  });

  it('sends nothing when the dialog is closed', async () => {
    serveConversations(bothWrote());
    const { person } = await choose('a.jpg');
    await person.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect([received(uploadMessageMedia), received(sendMessage)]).toEqual([[], []]);
  });
});

describe('the first photo of a conversation', () => {
  const question = 'Are you sure this is welcome?';
  const pressSend = async ({ person }: Awaited<ReturnType<typeof choose>>) =>
    person.click(await screen.findByRole('button', { name: 'Send photo' }));
  beforeEach(() => localStorage.removeItem(askedKey));

  it('is sent after one question, which returns to the photo and is not asked again', async () => {
    const known = serveConversations(bothWrote());
    const opened = await choose('a.jpg');
    await pressSend(opened);
    await opened.person.click(within(screen.getByRole('dialog', { name: question })).getByText('Back'));
    expect(received(sendMessage)).toEqual([]);
    await pressSend(opened);
    await opened.person.click(within(screen.getByRole('dialog', { name: question })).getByText('Send'));
    await waitFor(() => expect(known.messages['match-bo']).toHaveLength(3));
    expect(screen.queryByRole('dialog')).toBeNull();
    known.messages['match-bo']?.pop();
    fireEvent.change(screen.getByLabelText('Photos to send'), { target: { files: [picture('b.jpg')] } });
    await pressSend(opened);
    await waitFor(() => expect(received(sendMessage)).toHaveLength(2));
  });

  it.each([
    ['the other person', message(3, { text: '', pictures: [photo(idOf(3), { ...closed, isOnce: true })] })],
    ['the member', ownMessage(3, { text: '', pictures: [photo(idOf(3))] })],
  ])('is not in doubt after %s has sent one', async (_, earlier) => {
    serveConversations(bothWrote(earlier));
    await pressSend(await choose('a.jpg'));
    await waitFor(() => expect(received(sendMessage)).toHaveLength(1));
  });
});

describe('photos without a connection', () => {
  async function sendOffline() {
    failWith(uploadMessageMedia, new CutOff());
    const opened = await choose('a.jpg', 'b.jpg');
    await opened.person.click(opened.dialog.getByRole('button', { name: 'Send 2 photos' }));
    await screen.findByText("No connection. We'll send it as soon as you're back online.");
    return opened;
  }
  const back = () => {
    let uploads = 10;
    serve(uploadMessageMedia, () => ({ data: { _id: idOf((uploads += 1)) } }));
    window.dispatchEvent(new Event('online'));
  };

  it('are kept on this device and sent once it is back', async () => {
    const known = serveConversations(bothWrote());
    await sendOffline();
    expect(await screen.findByRole('img', { name: 'Your photo 1 of 2' })).toHaveAttribute('src', 'blob:a.jpg');
    await waitFor(() => expect(caches.get(cacheName)?.size).toBe(2));
    back();
    await waitFor(() => expect(known.messages['match-bo']).toHaveLength(3));
    await waitFor(() => expect(caches.get(cacheName)?.size).toBe(0));
  });

  it('continue with the photo that was not uploaded', async () => {
    const known = serveConversations(bothWrote());
    let uploads = 0;
    serve(uploadMessageMedia, () => {
      uploads += 1;
      if (uploads > 1) throw new CutOff();
      return { data: { _id: idOf(1) } };
    });
    const { person, dialog } = await choose('a.jpg', 'b.jpg');
    await person.click(dialog.getByRole('button', { name: 'Send 2 photos' }));
    await screen.findByText("No connection. We'll send it as soon as you're back online.");
    const before = received(uploadMessageMedia).filter(({ body }) => body.name === 'a.jpg').length;
    back();
    await waitFor(() => expect(known.messages['match-bo']).toHaveLength(3));
    expect(received(uploadMessageMedia).filter(({ body }) => body.name === 'a.jpg')).toHaveLength(before);
    expect(received(sendMessage)[0]?.body.pictures).toEqual([idOf(1), idOf(11)]);
  });

  it('are deleted from this device when they are discarded', async () => {
    serveConversations(bothWrote());
    failWith(uploadMessageMedia, new Refusal('PICTURE_REFUSED', 'This picture was rejected before'));
    const { person, dialog } = await choose('a.jpg');
    await person.click(dialog.getByRole('button', { name: 'Send photo' }));
    expect(await screen.findByText('This picture was rejected before')).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect([unsentEntries(), caches.get(cacheName)?.size]).toEqual([[], 0]));
  });

  it('are deleted from this device on sign-out, and kept when the session expires', async () => {
    serveConversations(bothWrote());
    const stop = watchSessionEnd();
    await sendOffline();
    await waitFor(() => expect(caches.get(cacheName)?.size).toBe(2));
    clearSession('expired');
    await dropLeftBehind();
    expect(caches.get(cacheName)?.size).toBe(2);
    keepSession({ token: 'token-2', refreshToken: 'refresh-2', user: ownUser() });
    clearSession('signedOut');
    await waitFor(() => expect(caches.has(cacheName)).toBe(false));
    stop();
  });

  it('are uploaded again, once, when the server no longer has them', async () => {
    const known = serveConversations(bothWrote());
    let isGone = true;
    const { person, dialog } = await choose('a.jpg');
    const usual = received(sendMessage).length;
    serve(sendMessage, ({ body: { clientId, text, pictures = [] } }) => {
      if (isGone) {
        isGone = false;
        throw new Refusal('MEDIA_GONE', 'What you attached is no longer here. Please attach it again.');
      }
      const sent = ownMessage(3, { clientId, text, pictures: pictures.map((one) => photo(one)) });
      known.messages['match-bo']?.push(sent);
      return { data: { message: sent } };
    });
    await person.click(dialog.getByRole('button', { name: 'Send photo' }));
    await waitFor(() => expect(known.messages['match-bo']).toHaveLength(3));
    expect(
      received(sendMessage)
        .slice(usual)
        .map(({ body }) => body.pictures),
    ).toEqual([[idOf(1)], [idOf(2)]]);
  });
});

describe('received photos', () => {
  const receivedPhoto = (seq: number, isAmongFirst = false) =>
    message(seq, { text: '', pictures: [photo(idOf(seq), isAmongFirst ? { isAmongFirst } : {})] });

  it.each([3, 12])('are covered at first until they are pressed, and then open large, in message %i', async (seq) => {
    const texts = Array.from({ length: seq - 3 }, (_, index) => message(index + 3));
    serveConversations(bothWrote(...texts, receivedPhoto(seq, true)));
    const { person } = await openConversation();
    expect(screen.queryByRole('img', { name: 'Photo from Bo' })).toBeNull();
    await person.click(screen.getByRole('button', { name: 'Photo from Bo, covered. Show it' }));
    const image = screen.getByRole('img', { name: 'Photo from Bo' });
    await person.click(image);
    const dialog = within(await screen.findByRole('dialog', { name: 'Photo from Bo' }));
    expect(dialog.getByRole('img')).toHaveAttribute('src', photo(idOf(seq)).url);
    await person.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('are shown after the first ones, unless a check found something', async () => {
    const texts = [3, 4, 5, 6].map((seq) => message(seq));
    const cautious = message(8, { text: '', pictures: [photo(idOf(8), { isCovered: true })] });
    serveConversations(bothWrote(...texts, receivedPhoto(7), cautious));
    await openConversation();
    expect(screen.getByRole('img', { name: 'Photo from Bo' })).toBeVisible();
    expect(screen.getByText('Our check found something in this photo. Show it only if you want to.')).toBeVisible();
  });

  it('are covered while the check has not finished, with a note', async () => {
    const unchecked = photo(idOf(9), { isCovered: true, isUnchecked: true });
    serveConversations(
      bothWrote(...[3, 4, 5, 6].map((seq) => message(seq)), message(9, { text: '', pictures: [unchecked] })),
    );
    const { person } = await openConversation();
    expect(screen.getByText("This photo hasn't been checked yet. Show it only if you want to.")).toBeVisible();
    await person.click(
      screen.getByRole('button', { name: "Photo from Bo, covered because it hasn't been checked yet. Show it" }),
    );
    expect(screen.getByRole('img', { name: 'Photo from Bo' })).toBeVisible();
  });

  it('are shown one after the other by buttons and arrow keys', async () => {
    const texts = [3, 4, 5, 6].map((seq) => message(seq));
    const pictures = [photo(idOf(1)), photo(idOf(2)), photo(idOf(3))];
    serveConversations(bothWrote(...texts, message(7, { text: 'Three', pictures })));
    const { person } = await openConversation();
    await person.click(screen.getByRole('img', { name: 'Photo 2 of 3 from Bo' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Photos' }));
    expect(dialog.getByRole('status')).toHaveTextContent('Photo 2 of 3 from Bo');
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Next photo' })).toHaveFocus());
    await person.keyboard('{Enter}');
    expect(dialog.getByRole('status')).toHaveTextContent('Photo 3 of 3 from Bo');
    expect(dialog.getByRole('button', { name: 'Next photo' })).toHaveFocus();
    await person.keyboard('{ArrowRight}');
    expect(dialog.getByRole('status')).toHaveTextContent('Photo 3 of 3 from Bo');
    await person.keyboard('{ArrowLeft}');
    expect(dialog.getByRole('status')).toHaveTextContent('Photo 2 of 3 from Bo');
  });

  it('are fetched again when their address has expired', async () => {
    const texts = [3, 4, 5, 6].map((seq) => message(seq));
    const known = serveConversations(bothWrote(...texts, receivedPhoto(7)));
    await openConversation();
    const fresh = '/api/v1/media/fresh.large';
    known.messages['match-bo']?.splice(6, 1, message(7, { text: '', pictures: [photo(idOf(7), { url: fresh })] }));
    const before = received(listMessages).length;
    fireEvent.error(screen.getByRole('img', { name: 'Photo from Bo' }));
    await waitFor(() => expect(received(listMessages)).toHaveLength(before + 1));
    await waitFor(() => expect(screen.getByRole('img', { name: 'Photo from Bo' })).toHaveAttribute('src', fresh));
  });

  it('show that they were removed', async () => {
    serveConversations(bothWrote(message(3, { text: '', pictures: [photo(idOf(3), closed)] })));
    await openConversation();
    expect(screen.getByText("This photo isn't available.")).toBeVisible();
  });

  it('are named in the list of conversations and for the arrow keys', async () => {
    serveConversations(bothWrote(message(3, { text: '', pictures: [photo(idOf(3)), photo(idOf(4))] })));
    await openConversation();
    expect(await screen.findByRole('link', { name: /Bo.*📷 2 photos/ })).toBeVisible();
    const openers = screen.getAllByRole('button', { name: 'More about this message' });
    expect(openers.at(-1)).toHaveAccessibleDescription(/^Bo: 📷 2 photos /);
    expect(shownMessages()).toHaveLength(3);
  });
});

describe('a photo to be viewed once', () => {
  const once = message(3, { text: '', pictures: [photo(idOf(3), { ...closed, isOnce: true })] });

  it('is opened after a question, and disappears when it is closed', async () => {
    serveConversations(bothWrote(once));
    serve(openPicture, () => ({ data: { url: '/api/v1/media/chat-once.large?opened=1' } }));
    const { person } = await openConversation();
    await person.click(screen.getByRole('button', { name: 'Photo from Bo. View once' }));
    expect(await screen.findByText('You can view this photo once. It disappears when you close it.')).toBeVisible();
    expect(received(openPicture)).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'View photo' }));
    expect(await screen.findByRole('img', { name: 'Photo from Bo' })).toHaveAttribute(
      'src',
      '/api/v1/media/chat-once.large?opened=1',
    );
    expect(received(openPicture).map(({ params, body }) => [params.seq, body.picture])).toEqual([['3', idOf(3)]]);
    await person.keyboard('{Escape}');
    expect(screen.queryByRole('img', { name: 'Photo from Bo' })).toBeNull();
  });

  it('is requested again with the same key after a lost answer, even after the dialog was closed', async () => {
    serveConversations(bothWrote(once));
    const { person } = await openConversation();
    const open = async () => {
      await person.click(screen.getByRole('button', { name: 'Photo from Bo. View once' }));
      await person.click(await screen.findByRole('button', { name: 'View photo' }));
    };
    failWith(openPicture, new Refusal('UNAVAILABLE', 'Please try again'));
    await open();
    expect(await screen.findByText(/Couldn't open the photo/)).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Not now' }));
    serve(openPicture, () => ({ data: { url: '/api/v1/media/chat-once.large?opened=1' } }));
    await open();
    expect(await screen.findByRole('img', { name: 'Photo from Bo' })).toBeVisible();
    const keys = received(openPicture).map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  it('shows before it is opened that it was not checked yet', async () => {
    const unchecked = photo(idOf(3), { ...closed, isOnce: true, isCovered: true, isUnchecked: true });
    serveConversations(bothWrote(message(3, { text: '', pictures: [unchecked] })));
    const { person } = await openConversation();
    await person.click(screen.getByRole('button', { name: 'Photo from Bo. View once' }));
    expect(await screen.findByText(/This photo hasn't been checked yet\./)).toBeVisible();
  });

  it('shows that it was opened before', async () => {
    serveConversations(bothWrote(once));
    failWith(openPicture, new Refusal('NOT_FOUND', 'Not found'));
    const { person } = await openConversation();
    await person.click(screen.getByRole('button', { name: 'Photo from Bo. View once' }));
    await person.click(await screen.findByRole('button', { name: 'View photo' }));
    expect(await screen.findByText(/Couldn't open the photo/)).toBeVisible();
  });

  it('shows its sender that it was opened', async () => {
    const opened = ownMessage(3, { text: '', pictures: [photo(idOf(3), { ...closed, isOnce: true, isOpened: true })] });
    serveConversations(bothWrote(opened));
    await openConversation();
    expect(screen.getByText('Photo · Opened')).toBeVisible();
  });
});
