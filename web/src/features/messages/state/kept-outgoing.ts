import { keep, keptNames, onKeptElsewhere, readKept } from '../../../api/session/kept.ts';

/** One message on its way. */
export interface Outgoing {
  clientId: string;
  text: string;
  writtenAt: string;
  /** Waits for its turn, is being sent, is tried again later by itself, or was refused. */
  state: 'waiting' | 'sending' | 'delayed' | 'failed';
  /** Why it was refused. */
  problem: { code: string | null; text: string } | null;
}

const start = 'outbox:';

/** What this device keeps of one match's messages on their way; whatever was being sent is to be sent again. */
export function keptOutgoingOf(matchId: string): readonly Outgoing[] {
  const kept = JSON.parse(readKept(start + matchId) ?? '[]') as Outgoing[];
  return kept.map((one) => (one.state === 'failed' ? one : { ...one, state: 'waiting' }));
}

/** All that this device keeps, by match. */
export function keptOutgoing(): Record<string, readonly Outgoing[]> {
  const ids = keptNames(start).map((name) => name.slice(start.length));
  return Object.fromEntries(ids.map((matchId) => [matchId, keptOutgoingOf(matchId)]));
}

/** Keeps what is on its way in one match. */
export function keepOutgoing(matchId: string, outgoing: readonly Outgoing[]): void {
  keep(start + matchId, outgoing.length === 0 ? '' : JSON.stringify(outgoing));
}

/** Calls `listener` with the match for which another tab has changed what is kept. */
export function onOutgoingElsewhere(listener: (matchId: string) => void): void {
  onKeptElsewhere((name) => {
    if (name.startsWith(start)) listener(name.slice(start.length));
  });
}
