import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconBookmark } from '@tabler/icons-react';
import { useState } from 'react';
import type { SavedView } from '#contract/moderation/saved-views.ts';
import { lazyPart } from '../../loading/LazyBoundary.tsx';
import type { SaveListProps } from './SaveListDialog.tsx';

const [SaveListDialog] = lazyPart(async () => (await import('./SaveListDialog.tsx')).SaveListDialog);

interface SavedListOptions<V extends SavedView> extends Omit<SaveListProps, 'of' | 'save' | 'onClose'> {
  /** The saved list that the filters come from, if any. */
  from: V | undefined;
  /** The filters are not, or no longer, those of `from`. */
  isChanged: boolean;
  /** There are filters to be saved as a new list. */
  canSave: boolean;
  /** Saves the filters as a new list, or changes `of`; returns the id. */
  save: (body: Parameters<SaveListProps['save']>[0], of: V | null) => Promise<string>;
  /** The buttons are part of a line of text. */
  isCompact?: boolean;
}

/**
 * The buttons that save the filters of a list, or change the saved list they come from, and their dialog. The dialog is
 * apart, because the buttons may be in a form.
 */
export function useSavedList<V extends SavedView>(options: SavedListOptions<V>) {
  const { from, isChanged, canSave, save, isCompact = false, onDeleted, ...dialog } = options;
  const [asked, setAsked] = useState<'save' | 'edit' | null>(null);
  const of = asked === 'edit' ? (from ?? null) : null;
  const close = () => setAsked(null);
  const look = isCompact ? ({ variant: 'subtle', size: 'compact-sm' } as const) : ({ variant: 'default' } as const);
  return {
    buttons: (
      <>
        {from?.canChange === true && (
          <Button {...look} onClick={() => setAsked('edit')}>
            {isChanged ? t`Save changes` : t`Edit list`}
          </Button>
        )}
        {canSave && isChanged && (
          <Button
            {...look}
            leftSection={<IconBookmark size={16} stroke={1.75} aria-hidden="true" />}
            onClick={() => setAsked('save')}
          >
            {from === undefined ? t`Save list` : t`Save as new`}
          </Button>
        )}
      </>
    ),
    dialog: asked !== null && (
      <SaveListDialog
        {...dialog}
        of={of}
        save={(body) => save(body, of)}
        onDeleted={() => {
          close();
          onDeleted();
        }}
        onClose={close}
      />
    ),
  };
}
