import { create } from 'zustand';
import { sendMessage } from '#contract/messages/messages.ts';
import { ApiError, errorMessage, isAborted } from '../../api/api-error.ts';
import { alone } from '../../api/alone.ts';
import { call } from '../../api/call.ts';
import { randomKey } from '../../api/request.ts';
import { applyEvent } from '../../api/realtime/realtime-cache.ts';
import { onMissed } from '../../api/realtime/realtime.ts';
import { keep, keptNames, onKeptElsewhere, readKept } from '../../api/session/kept.ts';
import { onUserChange } from '../../api/session/stored-session.ts';
import type { Parts, UnsentFile } from './photos/unsent-files.ts';

/** One message that is not sent yet. */
export interface Outgoing {
  clientId: string;
  text: string;
  parts?: Parts;
  writtenAt: string;
  /** The message is waiting for its turn, being sent, delayed until the next try, or refused. */
  state: 'waiting' | 'sending' | 'delayed' | 'failed';
  /** Why the message was refused. */
  problem: { code: string | null; text: string } | null;
  /** The browser could not store it, or one of its files: it is lost once this page is closed. */
  isUnstored?: boolean;
}

const entryPrefix = 'outbox:';
const firstPauseMs = 2000;
const longestPauseMs = 60_000;
/** How long another tab that uploads the files of a message is waited for. */
const otherTabWaitMs = 60_000;

/**
 * The storage entry of a message. Each message has its own entry, so that tabs never overwrite each other's messages.
 */
const entryOf = (matchId: string, clientId: string) => `${entryPrefix}${matchId}:${clientId}`;

/** Messages whose files the browser could not store. */
const withoutFiles = new Set<string>();

/** Stores a message on this device; returns it with whether that worked. */
function stored(matchId: string, { isUnstored: _, ...one }: Outgoing): Outgoing {
  const isStored = keep(entryOf(matchId, one.clientId), JSON.stringify(one)) && !withoutFiles.has(one.clientId);
  return isStored ? one : { ...one, isUnstored: true };
}

/**
 * A stored message; null if any tab has sent or discarded it. A message that was being sent before a reload is sent
 * again.
 */
function readStored(name: string): Outgoing | null {
  const stored = JSON.parse(readKept(name) ?? 'null') as Outgoing | null;
  return stored === null || stored.state === 'failed' ? stored : { ...stored, state: 'waiting' };
}

/** Replaces or adds one message, keeping the order in which they were written. */
function withOne(outgoing: readonly Outgoing[], one: Outgoing): readonly Outgoing[] {
  const isSame = ({ clientId }: Outgoing) => clientId === one.clientId;
  if (outgoing.some(isSame)) return outgoing.map((other) => (isSame(other) ? one : other));
  return [...outgoing, one].sort((a, b) => a.writtenAt.localeCompare(b.writtenAt));
}

/** Releases up to 0.2 stored one list of messages per match. */
function splitFormerLists(): void {
  for (const name of keptNames(entryPrefix)) {
    const matchId = name.slice(entryPrefix.length);
    if (matchId.includes(':')) continue;
    for (const one of JSON.parse(readKept(name) ?? '[]') as Outgoing[]) stored(matchId, one);
    keep(name, '');
  }
}

function allStored(): Record<string, readonly Outgoing[]> {
  splitFormerLists();
  const byMatch: Record<string, readonly Outgoing[]> = {};
  for (const name of keptNames(entryPrefix)) {
    const [matchId = ''] = name.slice(entryPrefix.length).split(':');
    const one = readStored(name);
    if (one !== null) byMatch[matchId] = withOne(byMatch[matchId] ?? [], one);
  }
  return byMatch;
}

interface Outbox {
  /** Unsent messages by match, in the order in which they were written. */
  byMatch: Readonly<Record<string, readonly Outgoing[]>>;
}

/** The messages that the member has written and the server has not received yet. They are kept across reloads. */
const useOutbox = create<Outbox>()(() => ({ byMatch: allStored() }));

const busyMatches = new Set<string>();
/** Incremented when another user signs in, so that a loop of the previous session stops. */
let sessionEpoch = 0;
let pauseMs = firstPauseMs;
let timer: ReturnType<typeof setTimeout> | undefined;

const none: readonly Outgoing[] = [];

function outgoingOf(matchId: string): readonly Outgoing[] {
  return useOutbox.getState().byMatch[matchId] ?? none;
}

/** The unsent messages of one match, oldest first. */
export function useOutgoing(matchId: string): readonly Outgoing[] {
  return useOutbox(({ byMatch }) => byMatch[matchId] ?? none);
}

function show(matchId: string, outgoing: readonly Outgoing[]): void {
  useOutbox.setState(({ byMatch }) => ({ byMatch: { ...byMatch, [matchId]: outgoing } }));
}

function hide(matchId: string, clientId: string): void {
  show(
    matchId,
    outgoingOf(matchId).filter((one) => one.clientId !== clientId),
  );
}

/** Changes a message. A message that another tab has just sent or discarded is not stored again. */
function change(matchId: string, clientId: string, changes: Partial<Outgoing>): void {
  const before = outgoingOf(matchId).find((one) => one.clientId === clientId);
  if (before === undefined) return;
  const one = { ...before, ...changes };
  const isHere = readKept(entryOf(matchId, clientId)) !== null;
  show(matchId, withOne(outgoingOf(matchId), isHere ? stored(matchId, one) : one));
}

/** Whether sending the same message may succeed later. */
function isTemporary(error: unknown): boolean {
  return error instanceof ApiError && (error.status === null || error.status >= 500 || error.status === 429);
}

function retryLater(): void {
  clearTimeout(timer);
  timer = setTimeout(retryNow, pauseMs);
  pauseMs = Math.min(longestPauseMs, pauseMs * 2);
}

/** Messages whose uploads the server no longer had, and which were uploaded once more. */
const uploadedAgain = new Set<string>();

/** Loads the code for files only when a message has some. */
const filesOf = async () => ({
  ...(await import('./photos/upload-parts.ts')),
  ...(await import('./photos/unsent-files.ts')),
});

/** The media in the body of a message, once they are uploaded. */
async function bodyOf(matchId: string, { clientId, parts: { replyTo, ...files } = {} }: Outgoing) {
  const answer = replyTo === undefined ? {} : { replyTo };
  if (Object.keys(files).length === 0) return answer;
  const { discarded, uploadParts } = await filesOf();
  const note = (parts: Parts) => {
    change(matchId, clientId, { parts: { ...parts, ...answer } });
    return outgoingOf(matchId).some((one) => one.clientId === clientId);
  };
  // Meanwhile another tab may have uploaded some files, or sent the message.
  const upload = async () => {
    const now = readStored(entryOf(matchId, clientId));
    if (now === null) throw discarded();
    return await uploadParts(matchId, { ...files, ...now.parts }, note);
  };
  return { ...(await alone(`heartwood-upload ${clientId}`, upload, otherTabWaitMs)), ...answer };
}

/** The parts of a message without their uploads, so that they are uploaded again. */
const notUploaded = ({ pictures, voice, ...parts }: Parts): Parts => ({
  ...parts,
  ...(pictures && { pictures: pictures.map(withoutId) }),
  ...(voice && { voice: withoutId(voice) }),
});
const withoutId = <T extends UnsentFile>({ id: _, ...file }: T) => file;

async function send(matchId: string, one: Outgoing): Promise<void> {
  const { clientId, text } = one;
  change(matchId, clientId, { state: 'sending' });
  try {
    const body = { clientId, text, ...(await bodyOf(matchId, one)) };
    const { data } = await call(sendMessage, { params: { id: matchId }, body, keepalive: true });
    pauseMs = firstPauseMs;
    applyEvent({ kind: 'message', matchId, message: data.message });
    discard(matchId, clientId);
  } catch (error) {
    if (isAborted(error)) return;
    if (isTemporary(error)) {
      change(matchId, clientId, { state: 'delayed' });
      return retryLater();
    }
    const code = error instanceof ApiError ? error.code : null;
    const parts = outgoingOf(matchId).find((other) => other.clientId === clientId)?.parts;
    if (code === 'MEDIA_GONE' && parts !== undefined && !uploadedAgain.has(clientId)) {
      uploadedAgain.add(clientId);
      return change(matchId, clientId, { state: 'waiting', parts: notUploaded(parts) });
    }
    change(matchId, clientId, { state: 'failed', problem: { code, text: errorMessage(error) ?? '' } });
    if (code === 'NOT_FOUND') applyEvent({ kind: 'matchEnded', matchId });
  }
}

/** The next message to send: refused ones wait for the member, and must not hold up those written after them. */
export const nextOf = (outgoing: readonly Outgoing[]): Outgoing | undefined =>
  outgoing.find(({ state }) => state !== 'failed');

/** Sends the waiting messages of a match one after the other. While one cannot be sent, those written after it wait. */
async function sendAll(matchId: string): Promise<void> {
  if (busyMatches.has(matchId)) return;
  busyMatches.add(matchId);
  const epoch = sessionEpoch;
  for (let next = nextOf(outgoingOf(matchId)); next?.state === 'waiting'; next = nextOf(outgoingOf(matchId))) {
    await send(matchId, next);
    if (epoch !== sessionEpoch) return;
  }
  busyMatches.delete(matchId);
}

function retryNow(): void {
  clearTimeout(timer);
  for (const [matchId, outgoing] of Object.entries(useOutbox.getState().byMatch)) {
    const next = nextOf(outgoing);
    if (next?.state === 'delayed') change(matchId, next.clientId, { state: 'waiting' });
    void sendAll(matchId);
  }
}

/**
 * Adds a message to the outbox: it is shown at once, sent after earlier messages, and tried again until there is an
 * answer.
 */
export function post(matchId: string, text: string, parts?: Parts): void {
  const written: Outgoing = {
    clientId: randomKey(),
    text,
    ...(parts !== undefined && { parts }),
    writtenAt: new Date().toISOString(),
    state: 'waiting',
    problem: null,
  };
  show(matchId, withOne(outgoingOf(matchId), stored(matchId, written)));
  void noteFiles(matchId, written);
  void sendAll(matchId);
}

const fileNames = ({ parts: { pictures = [], voice } = {} }: Pick<Outgoing, 'parts'>) =>
  [...pictures, ...(voice ? [voice] : [])].map(({ name }) => name);

/** Records whether the browser has no room for the files of a message. */
async function noteFiles(matchId: string, one: Outgoing): Promise<void> {
  const names = fileNames(one);
  if (names.length === 0 || (await (await filesOf()).areStored(names))) return;
  withoutFiles.add(one.clientId);
  change(matchId, one.clientId, {});
}

/** Sends a refused message again. */
export function tryAgain(matchId: string, clientId: string): void {
  change(matchId, clientId, { state: 'waiting', problem: null });
  void sendAll(matchId);
}

/** Removes a message that was discarded or has arrived, and continues with the following ones. */
export function discard(matchId: string, clientId: string): void {
  const names = fileNames(outgoingOf(matchId).find((one) => one.clientId === clientId) ?? {});
  if (names.length > 0)
    filesOf().then(
      ({ dropFiles }) => dropFiles(names),
      () => undefined,
    );
  keep(entryOf(matchId, clientId), '');
  hide(matchId, clientId);
  void sendAll(matchId);
}

onMissed(retryNow);
window.addEventListener('online', retryNow);

// Another tab has sent or added messages.
onKeptElsewhere((name) => {
  if (!name.startsWith(entryPrefix)) return;
  const [matchId = '', clientId = ''] = name.slice(entryPrefix.length).split(':');
  const stored = readStored(name);
  const own = outgoingOf(matchId).find((one) => one.clientId === clientId);
  if (stored === null) hide(matchId, clientId);
  else if (own === undefined || (stored.state === 'failed') !== (own.state === 'failed'))
    show(matchId, withOne(outgoingOf(matchId), stored));
});

onUserChange(() => {
  sessionEpoch += 1;
  busyMatches.clear();
  clearTimeout(timer);
  pauseMs = firstPauseMs;
  useOutbox.setState({ byMatch: allStored() });
  retryNow();
});

retryNow();
