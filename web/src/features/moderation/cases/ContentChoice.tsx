import { t } from '@lingui/core/macro';
import type { CaseFile } from '#contract/moderation/cases.ts';
import type { ReactNode } from 'react';
import { type GivenContent, removableTexts } from '#contract/moderation/decisions.ts';
import { Picture } from '../../../ui/data/Picture.tsx';
import { CheckField } from '../../../ui/form/Field.tsx';
import { useFlag } from '../../../ui/keyboard/shortcuts.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { usePictureNumbers } from '../reports/ReportEvidence.tsx';
import { contentWords } from './decision-words.ts';
import classes from './cases.module.css';

/** A part of the evidence that a decision can remove. */
interface RemovableContent {
  id: string;
  content: GivenContent;
  /** Null for a picture and the badge. */
  text: string | null;
}

/**
 * All content by the person in the evidence of a case, without repetitions: pictures, texts, answers, messages and
 * notes.
 */
export function removableContent(evidence: CaseFile['evidence']): RemovableContent[] {
  const found = evidence
    .flatMap(({ items }) => items)
    .flatMap(({ _id: evidenceId, type: ofItem, profile, pictures, messages, note }) => {
      const of = (type: GivenContent['type'], key: string, text: string | null, at = '') => ({
        id: `${evidenceId} ${type} ${key}`,
        same: `${type} ${key} ${at} ${text ?? ''}`,
        content: { evidenceId, type, key },
        text,
      });
      return [
        ...messages
          .filter(({ by, isReported }) => by === 'reported' && isReported)
          .map(({ seq, text, sentAt }) => of('message', String(seq), text === '' ? t`📷 Photo` : (text ?? ''), sentAt)),
        ...(note ? [of('note', note.likedAt, note.text)] : []),
        // Photos of messages go with their message.
        ...(ofItem === 'message' ? [] : pictures).map(({ publicId }) => of('picture', publicId, null)),
        ...(profile?.photoVerifiedAt ? [of('badge', profile.photoVerifiedAt, null)] : []),
        ...removableTexts.map((key) => of('text', key, profile?.[key] ?? '')),
        ...(profile?.details?.prompts ?? []).map(({ prompt, answer }) => of('prompt', prompt, answer)),
      ];
    })
    .filter(({ text }) => text !== '');
  const unique = new Map(found.map((one) => [one.same, one]));
  return [...unique.values()];
}

type Named = Pick<GivenContent, 'type' | 'key'>;

/** Names a part of the evidence. Pictures are named by their number in the evidence. */
export function useContentName(): (content: Named) => string {
  const numbers = usePictureNumbers();
  return ({ type, key }) => {
    const number = type === 'picture' && numbers.get(key)?.number;
    return number ? t`${{ what: t(contentWords[type]) }} ${number}` : t(contentWords[type]);
  };
}

interface ContentRowProps {
  /** Null for another kind of measure. */
  content: Named | null;
  children: ReactNode;
}

/**
 * A part of the evidence in a list, with its picture. If evidence is blurred, the picture is too, unless it is hovered
 * or focused.
 */
export function ContentRow({ content, children }: ContentRowProps) {
  const isVeiled = useFlag('veiled-evidence');
  const picture = usePictureNumbers().get(content?.type === 'picture' ? content.key : '')?.picture;
  const isCovered = isVeiled && (picture !== undefined || content?.type === 'message' || content?.type === 'note');
  return (
    <li data-veiled={isCovered || undefined}>
      {picture && (
        <span className={classes.contentPicture}>
          <Picture picture={picture} alt="" />
        </span>
      )}
      <div className={classes.contentText}>{children}</div>
    </li>
  );
}

interface ContentChoiceProps {
  contents: readonly RemovableContent[];
  chosen: readonly string[];
  /** The pictures that even their owner does not get back, and whether this applies to all of them. */
  withheld: readonly string[];
  isAlwaysWithheld: boolean;
  onChange: (change: { chosen?: string[]; withheld?: string[] }) => void;
}

const toggled = (ids: readonly string[], id: string, isIn: boolean) =>
  isIn ? [...ids, id] : ids.filter((other) => other !== id);

/** A choice of the content to remove, and of the pictures that their owner does not get back. */
export function ContentChoice({ contents, chosen, withheld, isAlwaysWithheld, onChange }: ContentChoiceProps) {
  const nameOf = useContentName();
  const pictures = contents.filter(({ content }) => content.type === 'picture');
  if (contents.length === 0) return <Hint>{t`The evidence contains nothing that can be removed.`}</Hint>;
  const isChosen = ({ id }: RemovableContent) => chosen.includes(id);
  return (
    <>
      <ul className={classes.contents} aria-label={t`What is removed`}>
        {contents.map((one) => {
          const { id, content, text } = one;
          const name = nameOf(content);
          return (
            <ContentRow key={id} content={content}>
              <CheckField
                label={name}
                {...(text !== null && { description: text })}
                checked={isChosen(one)}
                onChange={({ currentTarget: { checked } }) => onChange({ chosen: toggled(chosen, id, checked) })}
              />
              {content.type === 'picture' && isChosen(one) && (
                <CheckField
                  label={t`Withhold ${{ picture: name }} from its owner, too`}
                  description={
                    isAlwaysWithheld
                      ? t`It may show a minor, or an authority reported it, so no one gets a copy of it.`
                      : t`Otherwise they see a small copy with the reasons.`
                  }
                  checked={isAlwaysWithheld || withheld.includes(id)}
                  disabled={isAlwaysWithheld}
                  onChange={({ currentTarget: { checked } }) => onChange({ withheld: toggled(withheld, id, checked) })}
                />
              )}
            </ContentRow>
          );
        })}
      </ul>
      {contents.some((one) => (one.content.type === 'message' || one.content.type === 'note') && isChosen(one)) && (
        <Hint>{t`The author sees what was removed, so they can tell that the person they wrote to reported it.`}</Hint>
      )}
      {pictures.length > 0 && pictures.every(isChosen) && (
        <Hint>{t`A profile without a picture is shown to no one until a new one is approved.`}</Hint>
      )}
    </>
  );
}
