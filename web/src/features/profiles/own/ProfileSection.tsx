import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { readDraft } from '../../../api/session/drafts.ts';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { useText } from '../../../ui/text/text.ts';
import { profileDraft } from './ProfileForm.tsx';
import classes from './ProfileSection.module.css';

interface ProfileSectionProps {
  /** Names its form's draft: with one it opens by itself. */
  name: string;
  title: string;
  lead?: string;
  /** What is saved; null where nothing was said. */
  summary: ReactNode;
  isEmpty: boolean;
  /** The form, given how it is left. */
  children: (leave: { onCancel: () => void; onDone: () => void }) => ReactNode;
}

/** One part of the profile: what is saved of it, and in its place, once asked for, the form. */
export function ProfileSection({ name, title, lead, summary, isEmpty, children }: ProfileSectionProps) {
  const t = useText();
  const [isOpen, setOpen] = useState(() => readDraft(profileDraft(name)) !== null);
  const [isSaved, setSaved] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isPressed = useRef(false);

  useEffect(() => {
    if (!isPressed.current) return;
    if (isOpen) place.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    else button.current?.focus();
  }, [isOpen]);

  function show(isFormShown: boolean, hasSaved: boolean) {
    isPressed.current = true;
    setOpen(isFormShown);
    setSaved(hasSaved);
  }

  return (
    <Panel
      title={title}
      {...(lead === undefined ? {} : { lead })}
      actions={
        !isOpen && (
          <Button
            ref={button}
            variant="default"
            size="xs"
            aria-label={t('Edit {part}', { part: title })}
            onClick={() => show(true, false)}
          >
            {t('Edit')}
          </Button>
        )
      }
    >
      <p role="status" className={classes.saved}>
        {isSaved && t('Saved.')}
      </p>
      {isOpen ? (
        <div ref={place}>{children({ onCancel: () => show(false, false), onDone: () => show(false, true) })}</div>
      ) : isEmpty ? (
        <p className={classes.nothing}>{t('Nothing said yet.')}</p>
      ) : (
        summary
      )}
    </Panel>
  );
}
