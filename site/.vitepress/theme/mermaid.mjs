import { useData } from 'vitepress';
import { defineComponent, h, onMounted, ref, watch } from 'vue';

let count = 0;

/** Draws a diagram in the browser, in the colours of the page. Without scripts its text is shown. */
export default defineComponent({
  props: { code: { type: String, required: true } },
  setup(props) {
    const code = decodeURIComponent(props.code);
    const { isDark } = useData();
    const svg = ref('');
    const draw = async () => {
      const { default: mermaid } = await import('mermaid');
      mermaid.initialize({ startOnLoad: false, theme: isDark.value ? 'dark' : 'neutral' });
      svg.value = (await mermaid.render(`mermaid-${count++}`, code)).svg;
    };
    onMounted(draw);
    watch(isDark, draw);
    return () =>
      svg.value === ''
        ? h('pre', { class: 'mermaid' }, code)
        : h('div', { class: 'mermaid', innerHTML: svg.value });
  },
});
