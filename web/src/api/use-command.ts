import { useRef, useState } from 'react';
import { ApiError, errorTexts } from './api-error.ts';

type State = 'idle' | 'pending' | 'done' | 'failed';

/** One command of a form: how it stands, its error's text and code, and `run`, which answers whether it worked and refuses to run twice at once. */
export function useCommand() {
  const [state, setState] = useState<State>('idle');
  const [error, setError] = useState<string | null>(null);
  const [code, setCode] = useState<string | null>(null);
  const isRunning = useRef(false);

  async function run(command: () => Promise<unknown>, onRefused?: (error: ApiError) => void): Promise<boolean> {
    if (isRunning.current) return false;
    isRunning.current = true;
    setState('pending');
    setError(null);
    setCode(null);
    try {
      await command();
      setState('done');
      return true;
    } catch (failure) {
      setState('failed');
      setError(failure instanceof ApiError ? failure.message : errorTexts.unknown);
      setCode(failure instanceof ApiError ? failure.code : null);
      if (failure instanceof ApiError) onRefused?.(failure);
      return false;
    } finally {
      isRunning.current = false;
    }
  }

  function reset() {
    setState('idle');
    setError(null);
    setCode(null);
  }

  return { isPending: state === 'pending', isDone: state === 'done', error, code, run, reset };
}
