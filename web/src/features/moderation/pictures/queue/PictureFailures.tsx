import { FloatingNotice } from '../../../../ui/feedback/FloatingNotice.tsx';
import { useText } from '../../../../ui/text/text.ts';
import type { Failed } from '../use-decisions.ts';

const words: Record<Failed['kind'], string> = {
  decided: 'Somebody else has already decided on the picture of {name}.',
  gone: 'The picture of {name} is gone: its owner deleted it.',
  failed: 'The decision on the picture of {name} was not saved: {error}',
};

/** The decisions that did not come about: the newest in words, of the others how many. */
export function PictureFailures({ failed, onDismiss }: { failed: readonly Failed[]; onDismiss: () => void }) {
  const t = useText();
  const newest = failed.at(-1);
  if (newest === undefined) return null;
  const { kind, decision, error } = newest;
  return (
    <FloatingNotice kind="error" onClose={onDismiss}>
      {t(words[kind], { name: decision.name, error: t(error) })}
      {failed.length > 1 &&
        ` ${t('{count, plural, one {# decision before} other {# decisions before}} did not come about either.', {
          count: failed.length - 1,
        })}`}
    </FloatingNotice>
  );
}
