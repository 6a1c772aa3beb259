import { create } from 'zustand';
import { sendMessage } from '#contract/messages.ts';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { errorTexts } from '../../../api/error-texts.ts';
import { randomKey } from '../../../api/random-key.ts';
import { onMissed, tellOwn } from '../../../api/realtime/realtime.ts';
import { onSessionChange, readSession } from '../../../api/session/stored-session.ts';
import { keptOutgoing, keptOutgoingOf, keepOutgoing, onOutgoingElsewhere, type Outgoing } from './kept-outgoing.ts';

const firstPauseMs = 2000;
const longestPauseMs = 60_000;

interface Outbox {
  /** What is not sent yet, by match, in the order in which it was written. */
  byMatch: Readonly<Record<string, readonly Outgoing[]>>;
}

/** What the member has written and the server has not answered yet; it survives a reload. */
export const useOutbox = create<Outbox>()(() => ({ byMatch: keptOutgoing() }));

const busy = new Set<string>();
let owner = readSession().user?._id;
/** Rises with each account that is signed in here: answers meant for another one change nothing. */
let visit = 0;
let pauseMs = firstPauseMs;
let timer: ReturnType<typeof setTimeout> | undefined;

const nothing: readonly Outgoing[] = [];

/** What waits for its turn in one match. */
export function outgoingOf(matchId: string): readonly Outgoing[] {
  return useOutbox.getState().byMatch[matchId] ?? nothing;
}

/** The same, drawn anew whenever it changes. */
export function useOutgoing(matchId: string): readonly Outgoing[] {
  return useOutbox(({ byMatch }) => byMatch[matchId] ?? nothing);
}

function show(matchId: string, outgoing: readonly Outgoing[]): void {
  useOutbox.setState(({ byMatch }) => ({ byMatch: { ...byMatch, [matchId]: outgoing } }));
}

function set(matchId: string, outgoing: readonly Outgoing[]): void {
  show(matchId, outgoing);
  keepOutgoing(matchId, outgoing);
}

function change(matchId: string, clientId: string, changes: Partial<Outgoing>): void {
  set(
    matchId,
    outgoingOf(matchId).map((one) => (one.clientId === clientId ? { ...one, ...changes } : one)),
  );
}

/** Whether it may well go through a little later, as it is. */
function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === null || error.status >= 500 || error.status === 429);
}

function wait(): void {
  clearTimeout(timer);
  timer = setTimeout(hurry, pauseMs);
  pauseMs = Math.min(longestPauseMs, pauseMs * 2);
}

async function sendFirst(matchId: string, { clientId, text }: Outgoing): Promise<void> {
  const of = visit;
  change(matchId, clientId, { state: 'sending' });
  try {
    const { data } = await call(sendMessage, { params: { id: matchId }, body: { clientId, text }, keepalive: true });
    if (of !== visit) return;
    pauseMs = firstPauseMs;
    tellOwn({ kind: 'message', matchId, message: data.message });
    discard(matchId, clientId);
  } catch (error) {
    if (of !== visit) return;
    if (isPassing(error)) {
      change(matchId, clientId, { state: 'delayed' });
      return wait();
    }
    const code = error instanceof ApiError ? error.code : null;
    const problem = { code, text: error instanceof ApiError ? error.message : errorTexts.unknown };
    change(matchId, clientId, { state: 'failed', problem });
    if (code === 'NOT_FOUND') tellOwn({ kind: 'matchEnded', matchId });
  }
}

/** Sends what waits in a match, one after the other; what cannot be sent holds up what was written after it. */
async function sendAll(matchId: string): Promise<void> {
  if (busy.has(matchId)) return;
  busy.add(matchId);
  const of = visit;
  for (let [first] = outgoingOf(matchId); first?.state === 'waiting'; [first] = outgoingOf(matchId)) {
    await sendFirst(matchId, first);
    if (of !== visit) return;
  }
  busy.delete(matchId);
}

/** Tries at once what was to be tried a little later. */
function hurry(): void {
  clearTimeout(timer);
  for (const [matchId, outgoing] of Object.entries(useOutbox.getState().byMatch)) {
    const [first] = outgoing;
    if (first?.state === 'delayed') change(matchId, first.clientId, { state: 'waiting' });
    void sendAll(matchId);
  }
}

/** Puts a message on its way: shown at once, sent in its turn, and again until there is an answer. */
export function post(matchId: string, text: string): void {
  const written: Outgoing = {
    clientId: randomKey(),
    text,
    writtenAt: new Date().toISOString(),
    state: 'waiting',
    problem: null,
  };
  set(matchId, [...outgoingOf(matchId), written]);
  void sendAll(matchId);
}

/** Sends once more what was refused. */
export function tryAgain(matchId: string, clientId: string): void {
  change(matchId, clientId, { state: 'waiting', problem: null });
  void sendAll(matchId);
}

/** Gives up a message, or forgets one that has arrived, and goes on with those after it. */
export function discard(matchId: string, clientId: string): void {
  set(
    matchId,
    outgoingOf(matchId).filter((one) => one.clientId !== clientId),
  );
  void sendAll(matchId);
}

onMissed(hurry);
window.addEventListener('online', hurry);

// What another tab has sent or was given is not this one's to show any more, or is from now on.
onOutgoingElsewhere((matchId) => {
  const own = new Map(outgoingOf(matchId).map((one) => [one.clientId, one]));
  show(
    matchId,
    keptOutgoingOf(matchId).map((one) => own.get(one.clientId) ?? one),
  );
});

onSessionChange(({ user }) => {
  if (user?._id === owner) return;
  owner = user?._id;
  visit += 1;
  busy.clear();
  clearTimeout(timer);
  pauseMs = firstPauseMs;
  useOutbox.setState({ byMatch: keptOutgoing() });
  hurry();
});

hurry();
