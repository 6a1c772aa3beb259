// Here since what was not sent before a reload goes on its way, whichever page that happens on.
import '../state/outbox.ts';
import { countUnread } from '#contract/messages.ts';
import { call } from '../../../api/call.ts';
import { holdRealtime, onMissed, onRealtime } from '../../../api/realtime/realtime.ts';
import { useUnreadMessages } from './unread-messages.ts';

/** What comes close together is asked about once. */
const togetherMs = 200;

/** Shows how many conversations hold something unread, now and whenever that may have changed; returns how to stop. */
export function watchUnreadMessages(): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function ask(): Promise<void> {
    timer = undefined;
    try {
      const { data } = await call(countUnread, { signal });
      if (!signal.aborted) useUnreadMessages.setState({ count: data.conversations });
    } catch {
      // Without an answer the mark stays as it is.
    }
  }

  const askSoon = () => {
    timer ??= setTimeout(() => void ask(), togetherMs);
  };
  const stops = [
    holdRealtime(),
    onMissed(askSoon),
    onRealtime(({ kind }) => {
      if (kind !== 'typing') askSoon();
    }),
  ];
  void ask();
  return () => {
    leaving.abort();
    clearTimeout(timer);
    for (const stop of stops) stop();
    useUnreadMessages.setState({ count: 0 });
  };
}
