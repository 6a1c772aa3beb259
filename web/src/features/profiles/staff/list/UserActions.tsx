import { IconEye, IconUserCheck, IconUserOff } from '@tabler/icons-react';
import type { ListedUser } from '#contract/profiles/user.ts';
import { personName } from '../../../../ui/text/person.ts';
import { useText } from '../../../../ui/text/text.ts';
import classes from '../../../../ui/data/RowActions.module.css';

/** What can be done with a listed user. */
export interface RowActions {
  onView: (user: ListedUser) => void;
  onActivate: (user: ListedUser) => void;
  onDeactivate: (user: ListedUser) => void;
}

/** View, activate, deactivate; the last two only for whom the server lets change users. */
export function UserActions({ user, onView, onActivate, onDeactivate }: { user: ListedUser } & RowActions) {
  const t = useText();
  const name = personName(user) ?? t('Unknown');
  const isProtected = user.isActive && !user.can.deactivate && !user.can.activate;
  return (
    <span className={classes.actions}>
      <button
        type="button"
        className={classes.action}
        aria-label={t('View {name}', { name })}
        title={t('View')}
        onClick={() => onView(user)}
      >
        <IconEye size={18} stroke={1.75} aria-hidden="true" />
        <span className={classes.actionText}>{t('View')}</span>
      </button>
      {user.can.edit && (
        <>
          <button
            type="button"
            className={classes.action}
            data-tone="positive"
            disabled={user.isActive}
            aria-label={t('Activate {name}', { name })}
            title={t('Activate')}
            onClick={() => onActivate(user)}
          >
            <IconUserCheck size={18} stroke={1.75} aria-hidden="true" />
            <span className={classes.actionText}>{t('Activate')}</span>
          </button>
          <button
            type="button"
            className={classes.action}
            data-tone="accent"
            disabled={!user.isActive || isProtected}
            aria-label={t('Deactivate {name}', { name })}
            title={isProtected ? t('You cannot deactivate this account') : t('Deactivate')}
            onClick={() => onDeactivate(user)}
          >
            <IconUserOff size={18} stroke={1.75} aria-hidden="true" />
            <span className={classes.actionText}>{t('Deactivate')}</span>
          </button>
        </>
      )}
    </span>
  );
}
