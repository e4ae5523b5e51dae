// Descriptions of names and of how they agree, and the questions that would settle a partial agreement.
import type { NonPersonNameType, SharedNamePart } from '../../model.ts';

export const PARTIAL_NAME_DESCRIPTIONS: Record<SharedNamePart, string> = {
  given: 'with the same given name, but not the same family name',
  family: 'with the same family name, but another given name',
  patronymic: 'whose name is that of a parent or a child, by the patronymic',
  suffix: 'with the same name, but another suffix (Jr, Sr, III)',
  part: 'whose name is longer than the submitted one',
  words: 'whose name has another word beside the ones that agree',
  both: 'whose name resembles the submitted one, but is not the same',
  nameless: 'whose records have no name',
};

/** Sentences that explain why a name agrees only in part. `#` is replaced by "the contact" or "the contacts". */
export const WHY_NAME_UNKNOWN: Record<SharedNamePart, string> = {
  given: "The given name agrees, the family name does not: it may have changed, or # may be somebody else's.",
  part: 'The submitted name is only a part of the name on record, which many people may share.',
  family:
    "The family name agrees, the given name does not: # may be a relative's, or the record may be wrong.",
  words: 'Each of the two names has a word that the other lacks, so they may be the names of two people.',
  both: 'The two names do not agree enough to show that they are names of one person.',
  patronymic: 'The patronymic is that of a parent or a child, who may have #.',
  suffix:
    "The name agrees, the suffix (Jr, Sr, III) does not: # may be a parent's, a child's or a namesake's.",
  nameless: 'The matching records have no name, so they do not tell to whom a contact belongs.',
};

/** Description of somebody whose name is the submitted one with another suffix. */
export const OTHER_SUFFIX = 'whose name has another suffix';

export const ASK_FOR_OWN_CONTACT = 'Ask for an e-mail or phone that only this person uses.';

/** Requests that would settle whether an identity with a similar name is the person. */
export const QUESTIONS_BY_PART: Record<SharedNamePart, string> = {
  given: 'Ask whether the person had another family name.',
  part: 'Ask for the whole name.',
  family: ASK_FOR_OWN_CONTACT,
  words: 'Ask for the whole name.',
  both: 'Ask for the name as a document has it.',
  patronymic: ASK_FOR_OWN_CONTACT,
  suffix: ASK_FOR_OWN_CONTACT,
  nameless: 'Ask for another e-mail or phone of the person.',
};

/** Descriptions of a name that does not belong to one person. Each follows the words "the name". */
export const NON_PERSON_NAME_DESCRIPTIONS: Record<NonPersonNameType, string> = {
  company: 'is that of a company or department',
  couple: 'is that of two people',
  family: 'is that of a family or an estate',
  relation: 'only describes a relative of somebody',
};

/** Forms of a name that have a sentence: the `variation` of the match, or what the two names differ in. */
export type NameForm = keyof typeof NAME_FORMS;
export const NAME_FORMS = {
  nickname: 'The given name matches in another form.',
  cultural: 'The name matches in the form of another language.',
  transliteration: 'The name matches in another spelling.',
  typo: 'The name matches except for what may be a typing error.',
  both_longer: 'Each of the two names has a word that the other lacks.',
  record_longer: 'The name on record has more words than the submitted one.',
  submitted_longer: 'The submitted name has more words than the one on record.',
  initial: 'The submitted name has only an initial for a word of the name on record.',
  initial_on_record: 'The name on record has only an initial for a word of the submitted name.',
};
