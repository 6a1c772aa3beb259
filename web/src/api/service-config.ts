import { useEffect, useState } from 'react';
import type { AnswerOf } from '#contract/endpoint.ts';
import { getConfig } from '#contract/system.ts';
import { call } from './call.ts';

type ServiceConfig = AnswerOf<typeof getConfig>['data'];

let known: ServiceConfig | undefined;

/** What the service tells before sign-in (support address, limits); undefined until the answer is there. Asked for once. */
export function useServiceConfig(): ServiceConfig | undefined {
  const [config, setConfig] = useState(known);

  useEffect(() => {
    if (known) return;
    const leaving = new AbortController();
    call(getConfig, { signal: leaving.signal }).then(
      ({ data }) => {
        known = data;
        setConfig(data);
      },
      () => undefined,
    );
    return () => leaving.abort();
  }, []);

  return config;
}
