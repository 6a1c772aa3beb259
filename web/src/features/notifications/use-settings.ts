import { useRef, useState } from 'react';
import {
  getNotificationSettings,
  type NotificationChoice,
  type NotificationKind,
  type NotificationSettings,
  putNotificationSettings,
} from '#contract/notifications.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { errorTexts } from '../../api/error-texts.ts';
import { useRead } from '../../api/use-read.ts';

/** What the member wants to be told of. */
export function useSettings() {
  return useRead('settings', async (signal) => (await call(getNotificationSettings, { signal })).data.settings);
}

/**
 * Choices that are kept at once, each after the one before it; what could not be kept is as it was, with `error` in words.
 * @param initial what the server has
 */
export function useChoices(initial: NotificationSettings) {
  const [shown, setShown] = useState(initial);
  const [error, setError] = useState<string | null>(null);
  const [isSaved, setSaved] = useState(false);
  const known = useRef(initial);
  const line = useRef<Promise<void>>(Promise.resolve());
  const waiting = useRef(0);

  async function send(kind: NotificationKind, choice: NotificationChoice): Promise<void> {
    try {
      const { data } = await call(putNotificationSettings, { body: { settings: { [kind]: choice } } });
      known.current = data.settings;
      setSaved(waiting.current === 1);
    } catch (failure) {
      setError(failure instanceof ApiError ? failure.message : errorTexts.unknown);
      setShown((before) => ({ ...before, [kind]: known.current[kind] }));
    }
    waiting.current -= 1;
  }

  function choose(kind: NotificationKind, choice: NotificationChoice): void {
    setShown((before) => ({ ...before, [kind]: choice }));
    setError(null);
    setSaved(false);
    waiting.current += 1;
    line.current = line.current.then(() => send(kind, choice));
  }

  return { shown, choose, error, isSaved };
}
