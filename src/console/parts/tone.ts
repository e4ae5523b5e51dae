/** What a colour says. Grey says nothing, neither good nor bad. */
export type Tone = 'good' | 'likely' | 'care' | 'bad' | 'none' | 'accent';
