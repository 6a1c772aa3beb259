import type { CaseFile } from '#contract/moderation/case.ts';
import type { GivenContent } from '#contract/moderation/decision.ts';
import type { Picture as PictureData } from '#contract/media/picture.ts';
import { Picture } from '../../../ui/data/Picture.tsx';
import { CheckField } from '../../../ui/form/Field.tsx';
import { useFlag } from '../../../ui/keyboard/single-keys.ts';
import { t } from '../../../ui/text/text.ts';
import { contentWords } from './decision-words.ts';
import classes from './cases.module.css';

/** Something of the evidence that a decision can remove. */
interface RemovableContent {
  id: string;
  content: GivenContent;
  /** Null for a picture. */
  text: string | null;
  picture?: PictureData;
}

/** What the evidence of a case shows of the person, each thing once: pictures, texts of the profile, answers and messages. */
export function removableContent(evidence: CaseFile['evidence']): RemovableContent[] {
  const found = evidence
    .flatMap(({ items }) => items)
    .flatMap(({ _id: evidenceId, profile, pictures, messages }) => {
      const of = (type: GivenContent['type'], key: string, text: string | null, picture?: PictureData, at = '') => ({
        id: `${evidenceId} ${type} ${key}`,
        same: `${type} ${key} ${at} ${text ?? ''}`,
        content: { evidenceId, type, key },
        text,
        ...(picture && { picture }),
      });
      return [
        ...messages
          .filter(({ by, isReported }) => by === 'reported' && isReported)
          .map(({ seq, text, sentAt }) => of('message', String(seq), text ?? '', undefined, sentAt)),
        ...pictures.map((picture) => of('picture', picture.publicId, null, picture)),
        of('text', 'bio', profile?.bio ?? ''),
        of('text', 'genderText', profile?.genderText ?? ''),
        ...(profile?.details?.prompts ?? []).map(({ prompt, answer }) => of('prompt', prompt, answer)),
      ];
    })
    .filter(({ text }) => text !== '');
  const unique = new Map(found.map((one) => [one.same, one]));
  return [...unique.values()];
}

interface ContentChoiceProps {
  contents: readonly RemovableContent[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** Which things of the evidence are removed. Where evidence is blurred, so are they, except the one that is pointed at or focused. */
export function ContentChoice({ contents, chosen, onChange }: ContentChoiceProps) {
  const isVeiled = useFlag('veiled-evidence');
  const pictures = contents.filter(({ picture }) => picture !== undefined);
  if (contents.length === 0) return <p className={classes.soft}>{t('The evidence holds nothing to remove.')}</p>;
  const isChosen = ({ id }: RemovableContent) => chosen.includes(id);
  return (
    <>
      <ul className={classes.contents} aria-label={t('What is removed')}>
        {contents.map((one) => {
          const { id, content, text, picture } = one;
          const isCovered = isVeiled && (picture !== undefined || content.type === 'message');
          return (
            <li key={id} data-veiled={isCovered || undefined}>
              {picture && (
                <span className={classes.contentPicture}>
                  <Picture picture={picture} alt="" />
                </span>
              )}
              <CheckField
                label={`${t(contentWords[content.type])}${picture ? ` ${pictures.indexOf(one) + 1}` : ''}`}
                {...(text !== null && { description: text })}
                checked={chosen.includes(id)}
                onChange={({ currentTarget: { checked } }) =>
                  onChange(checked ? [...chosen, id] : chosen.filter((other) => other !== id))
                }
              />
            </li>
          );
        })}
      </ul>
      {contents.some((one) => one.content.type === 'message' && isChosen(one)) && (
        <p className={classes.soft}>
          {t('The author sees which message was removed, and can tell that the other person reported it.')}
        </p>
      )}
      {pictures.length > 0 && pictures.every(isChosen) && (
        <p className={classes.soft}>
          {t('A profile without a picture is shown to no one until a new one is approved.')}
        </p>
      )}
    </>
  );
}
