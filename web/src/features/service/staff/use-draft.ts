import { useState } from 'react';
import type { FieldError } from '#contract/errors.ts';
import { changeService, type Service } from '#contract/service/service.ts';
import type { ServiceSettings } from '#contract/service/settings.ts';
import { useCommand } from '../../../api/endpoint-query.ts';

/** One part of the settings as a panel edits it. */
export interface PartDraft<Part extends keyof ServiceSettings> {
  value: ServiceSettings[Part];
  set: (value: ServiceSettings[Part]) => void;
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

/**
 * The settings with edits that are not saved yet. They are saved together as one version; if someone else saves meanwhile, the edits stay
 * until they are discarded.
 */
export function useDraft(service: Service) {
  const [edits, setEdits] = useState<Edits | null>(null);
  const [refused, setRefused] = useState<readonly FieldError[]>([]);
  const save = useCommand(changeService, (body: Edits) => ({ body }), { waits: true });
  const settings = edits?.settings ?? service.settings;
  const errors = [...refused, ...errorsOf(save.error)];

  function edit(next: ServiceSettings) {
    // Edits would otherwise be based on a version that is about to be replaced.
    if (save.isPending) return;
    save.reset();
    setRefused([]);
    setEdits({ version: edits?.version ?? service.version, settings: next });
  }

  function discard() {
    save.reset();
    setRefused([]);
    setEdits(null);
  }

  function submit() {
    if (edits === null || save.isPending) return;
    const parsed = changeService.body.safeParse(edits);
    const wrong = parsed.error?.issues.map(({ path, message }) => ({ field: path.join('.'), msg: message })) ?? [];
    setRefused(wrong);
    if (parsed.success) save.mutate(parsed.data, { onSuccess: () => setEdits(null) });
  }

  return {
    settings,
    isEdited: edits !== null,
    save,
    hasErrors: errors.length > 0,
    part: <Part extends keyof ServiceSettings>(name: Part): PartDraft<Part> => ({
      value: settings[name],
      set: (value) => edit({ ...settings, [name]: value }),
      errorOf: (field) => errors.find((error) => error.field === `settings.${name}.${field}`)?.msg,
    }),
    discard,
    submit,
  };
}
