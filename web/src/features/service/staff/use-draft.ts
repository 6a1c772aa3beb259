import { useEffect, useRef, useState } from 'react';
import type { FieldError } from '#contract/errors.ts';
import { changeService, type Service } from '#contract/service/service.ts';
import type { ServiceSettings } from '#contract/service/settings.ts';
import { useCommand } from '../../../api/endpoint-query.ts';

/** One part of the settings as a panel edits it. */
export interface PartDraft<Part extends keyof ServiceSettings> {
  value: ServiceSettings[Part];
  /** Takes the part, or a function that changes it, for what comes after a wait, in which other fields may be edited. */
  set: (next: ServiceSettings[Part] | ((now: ServiceSettings[Part]) => ServiceSettings[Part])) => void;
  /** The error of a field, by its path in the part. */
  errorOf: (field: string) => string | undefined;
}

interface Edits {
  /** The version that was the newest when the first field was edited. */
  version: number;
  settings: ServiceSettings;
}

const errorsOf = (error: Error | null) =>
  error !== null && 'errors' in error ? ((error.errors as readonly FieldError[] | undefined) ?? []) : [];

/** The lists without entries that are no longer offered, which the server adds to whatever it saves. */
const sent = ({ version, settings }: Edits): Edits => ({
  version,
  settings: { ...settings, lists: { ...settings.lists, gone: [] } },
});

/**
 * The settings with edits that are not saved yet. They are saved together as one version; if someone else saves meanwhile, the edits stay
 * until they are discarded.
 */
export function useDraft(service: Service) {
  const [edits, setEdits] = useState<Edits | null>(null);
  const [refused, setRefused] = useState<{ of: Edits | null; errors: readonly FieldError[] }>({ of: null, errors: [] });
  const [round, setRound] = useState(0);
  const newest = useRef(service);
  useEffect(() => {
    newest.current = service;
  }, [service]);
  const save = useCommand(changeService, (body: Edits) => ({ body: sent(body) }), { waits: true });
  const settings = edits?.settings ?? service.settings;
  // Fields were refused as they were sent, not as what they became since; why nothing was saved holds until the next attempt.
  const isOfFields = errorsOf(save.error).length > 0;
  const error = edits !== null && (save.variables === edits || !isOfFields) ? save.error : null;
  const errors = [...(refused.of === edits ? refused.errors : []), ...errorsOf(error)];

  const edit = (change: (now: ServiceSettings) => ServiceSettings) =>
    setEdits((before) => {
      const from = before ?? newest.current;
      return { version: from.version, settings: change(from.settings) };
    });

  function discard() {
    setEdits(null);
    setRound(round + 1);
  }

  function submit() {
    if (edits === null || save.isPending) return;
    const parsed = changeService.body.safeParse(edits);
    const wrong = parsed.error?.issues.map(({ path, message }) => ({ field: path.join('.'), msg: message })) ?? [];
    setRefused({ of: edits, errors: wrong });
    if (!parsed.success) return;
    // What is edited while these are saved stays, on top of the version that they become.
    const keepLater = ({ version }: { version: number }) =>
      setEdits((now) => (now === null || now === edits ? null : { ...now, version }));
    save.mutate(edits, { onSuccess: keepLater });
  }

  return {
    settings,
    isEdited: edits !== null,
    isSaving: save.isPending,
    /** Another number after edits were discarded, with which fields begin anew. */
    round,
    error,
    hasErrors: errors.length > 0,
    part: <Part extends keyof ServiceSettings>(name: Part): PartDraft<Part> => ({
      value: settings[name],
      set: (next) => edit((now) => ({ ...now, [name]: next instanceof Function ? next(now[name]) : next })),
      errorOf: (field) => errors.find((one) => one.field === `settings.${name}.${field}`)?.msg,
    }),
    discard,
    submit,
  };
}
