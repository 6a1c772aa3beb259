import { useEffect, useRef, useState } from 'react';
import { deletePicture } from '#contract/media/media.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { useStable } from '../../ui/loading/use-stable.ts';
import type { PicturesOnServer } from './use-pictures-on-server.ts';

/** What is gone already has been deleted as it was wished. */
const isGone = (error: unknown) => error instanceof ApiError && error.status === 404;

/** Deleting with a way back: off the screen at once, sent when the way back ends or the page is left, once, and back when it fails. */
export function useDeleting({ latest, take, inTurn }: PicturesOnServer) {
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const [offered, setOffered] = useState<string | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const waiting = useRef<string | null>(null);
  const due = useRef(new Set<string>());

  function offer(id: string | null) {
    waiting.current = id;
    setOffered(id);
  }

  const show = (id: string) => setHidden((before) => before.filter((other) => other !== id));

  async function send(id: string) {
    try {
      take((await call(deletePicture, { params: { publicId: id }, keepalive: true })).data.pictures);
    } catch (error) {
      if (isGone(error)) take(latest().filter(({ publicId }) => publicId !== id));
      else setFailed(true);
    }
    show(id);
  }

  const sendDue = (id: string) => (due.current.delete(id) ? send(id) : Promise.resolve());

  /** Ends the way back: the call is sent behind what is under way. */
  function commit() {
    const id = waiting.current;
    if (id === null) return;
    offer(null);
    due.current.add(id);
    void inTurn(() => sendDue(id));
  }

  function remove(id: string) {
    if (hidden.includes(id)) return;
    commit();
    setFailed(false);
    setHidden((before) => [...before, id]);
    offer(id);
  }

  function undo() {
    if (waiting.current !== null) show(waiting.current);
    offer(null);
  }

  // There may be no turn to come once the page is left.
  const leave = useStable(() => {
    commit();
    for (const id of [...due.current]) void sendDue(id);
  });
  useEffect(() => {
    const leaving = new AbortController();
    const leaveWhenHidden = () => {
      if (document.visibilityState === 'hidden') leave();
    };
    document.addEventListener('visibilitychange', leaveWhenHidden, { signal: leaving.signal });
    window.addEventListener('pagehide', leave, { signal: leaving.signal });
    return () => {
      leaving.abort();
      leave();
    };
  }, [leave]);

  return { hidden, offered, hasFailed, remove, undo, commit, dismiss: () => setFailed(false) };
}
