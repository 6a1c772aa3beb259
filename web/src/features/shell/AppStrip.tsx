import { t } from '@lingui/core/macro';
import { IconRefresh, IconWifiOff } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { useOnline } from '../../ui/loading/online.ts';
import { usePublishedHeight } from '../../ui/shell/use-published-height.ts';
import { useLanguage } from '../../ui/text/use-language.ts';
import classes from './AppStrip.module.css';
import { loadNewVersion, putOffNewVersion, useNewVersion } from './new-version.ts';

/** A strip above every page that reports a missing network or offers a new version. */
export function AppStrip() {
  useLanguage();
  const isOnline = useOnline();
  const isNewer = useNewVersion((state) => state.isOffered);
  const strip = useRef<HTMLElement>(null);
  const isShown = !isOnline || isNewer;
  usePublishedHeight('--hw-strip-height', strip, isShown);

  let words: ReactNode = null;
  if (!isOnline) {
    words = (
      <>
        <IconWifiOff size={14} aria-hidden="true" />
        {t`You're offline. We'll continue when you're back.`}
      </>
    );
  } else if (isNewer) {
    words = (
      <>
        <IconRefresh size={14} aria-hidden="true" />
        {t`A new version is available.`}
      </>
    );
  }

  return (
    <section ref={strip} aria-label={t`App status`} className={classes.strip} data-shown={isShown || undefined}>
      <p role="status" className={classes.words}>
        {words}
      </p>
      {isOnline && isNewer && (
        <>
          <button type="button" className={classes.action} onClick={loadNewVersion}>
            {t`Reload`}
          </button>
          <button type="button" className={classes.action} onClick={putOffNewVersion}>
            {t`Later`}
          </button>
        </>
      )}
    </section>
  );
}
