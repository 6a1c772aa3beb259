import { t } from '@lingui/core/macro';
import { IconRefresh, IconWifiOff } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { useOnline } from '../../ui/loading/online.ts';
import { useLanguage } from '../../ui/text/use-language.ts';
import classes from './AppStrip.module.css';
import { loadNewVersion, putOffNewVersion, useNewVersion } from './new-version.ts';

const heightName = '--hw-strip-height';

/** Publishes the strip's height to the stylesheets, so that the header leaves room for it. */
function usePublishedHeight(strip: RefObject<HTMLElement | null>, isShown: boolean): void {
  useLayoutEffect(() => {
    const root = document.documentElement.style;
    if (!isShown || strip.current === null) return;
    const { current } = strip;
    const tell = () => root.setProperty(heightName, `${current.offsetHeight}px`);
    const sizes = new ResizeObserver(tell);
    sizes.observe(current);
    tell();
    return () => {
      sizes.disconnect();
      root.removeProperty(heightName);
    };
  }, [strip, isShown]);
}

/** A strip above every page that reports a missing network or offers a new version. */
export function AppStrip() {
  useLanguage();
  const isOnline = useOnline();
  const isNewer = useNewVersion((state) => state.isOffered);
  const strip = useRef<HTMLElement>(null);
  const isShown = !isOnline || isNewer;
  usePublishedHeight(strip, isShown);

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
